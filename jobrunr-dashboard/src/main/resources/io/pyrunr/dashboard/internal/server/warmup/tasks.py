import asyncio

import pyrunr


async def work(n):
    await asyncio.sleep(0)
    return n * 2


results = []
for step in range(3):
    results += await asyncio.gather(*(work(step + i) for i in range(3)))
    pyrunr.progress((step + 1) / 3)
results

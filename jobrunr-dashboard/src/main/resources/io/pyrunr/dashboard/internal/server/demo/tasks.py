import asyncio


async def step(name, seconds):
    print(name, "starts")
    await asyncio.sleep(seconds)
    print(name, "ends after", seconds, "s")
    return name


await asyncio.gather(step("first", 0.3), step("second", 0.2), step("third", 0.1))

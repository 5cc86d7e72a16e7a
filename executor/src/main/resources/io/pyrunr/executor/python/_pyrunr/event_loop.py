"""An asyncio event loop for an interpreter without sockets, pipes and threads: it only sleeps."""

import asyncio
from asyncio.base_events import BaseEventLoop
from asyncio.events import BaseDefaultEventLoopPolicy
from time import sleep


used = False
"""Whether the job has made an event loop."""


class _Clock:
    """Stands in for a selector: nothing can become ready, so to wait is to sleep."""

    def select(self, timeout):
        if timeout is None:
            raise RuntimeError(
                "nothing left to wait for: every task waits for another, and no timer is set"
            )
        if timeout > 0:
            sleep(timeout)
        return ()

    def close(self):
        pass

    def get_map(self):
        return {}


class JobEventLoop(BaseEventLoop):
    """The event loop of jobs. Runs tasks and timers; has no input or output to watch."""

    def __init__(self):
        global used
        used = True
        super().__init__()
        self._selector = _Clock()

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        # Wakes a loop from another thread or a signal handler; here there is nobody else.
        pass

    async def shutdown_default_executor(self, timeout=None):
        # The stock version starts a thread to wait for the executor's threads; there are none.
        self._executor_shutdown_called = True
        if self._default_executor is not None:
            self._default_executor.shutdown(wait=False)


class _Policy(BaseDefaultEventLoopPolicy):
    _loop_factory = JobEventLoop


def install():
    """Makes the loop above the one that asyncio creates, whichever way it is asked for one."""
    asyncio.EventLoop = JobEventLoop
    asyncio.DefaultEventLoopPolicy = _Policy
    asyncio.set_event_loop_policy(None)


def run(coroutine):
    """Runs a coroutine to its end and cancels the tasks it leaves behind."""
    with asyncio.Runner(loop_factory=JobEventLoop) as runner:
        return runner.run(coroutine)

package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** However a job comes by an event loop, it is one that works without sockets. */
class EventLoopTest {
  private static final String WAYS =
      """
      import asyncio, unittest

      async def wait():
          await asyncio.sleep(0.001)
          return await asyncio.gather(asyncio.sleep(0, 1), asyncio.wait_for(asyncio.sleep(0, 2), 100))

      def of_loop(make):
          loop = make()
          try:
              return loop.run_until_complete(wait())
          finally:
              loop.close()

      def of_runner(**kwargs):
          with asyncio.Runner(**kwargs) as runner:
              return runner.run(wait())

      def after(policy, way):
          asyncio.set_event_loop_policy(policy)
          return way()

      def of_test_case():
          class Case(unittest.IsolatedAsyncioTestCase):
              async def test(self):
                  self.got = await wait()
          case = Case("test")
          case.debug()
          return case.got

      WAYS = {
          "run": lambda: asyncio.run(wait()),
          "run with debug": lambda: asyncio.run(wait(), debug=True),
          "loop": lambda: of_loop(asyncio.new_event_loop),
          "class": lambda: of_loop(asyncio.EventLoop),
          "policy": lambda: of_loop(asyncio.get_event_loop_policy().new_event_loop),
          "default policy": lambda: of_loop(asyncio.DefaultEventLoopPolicy().new_event_loop),
          "current": lambda: after(None, lambda: of_loop(asyncio.get_event_loop)),
          "runner": lambda: of_runner(),
          "runner with factory": lambda: of_runner(loop_factory=asyncio.EventLoop),
          "run after reset": lambda: after(None, lambda: asyncio.run(wait())),
          "loop after reset": lambda: after(None, lambda: of_loop(asyncio.new_event_loop)),
          "loop after default": lambda: after(
              asyncio.DefaultEventLoopPolicy(), lambda: of_loop(asyncio.new_event_loop)),
          "test case": of_test_case,
          "test case after reset": lambda: after(None, of_test_case),
      }
      wrong = {}
      for name, way in WAYS.items():
          try:
              got = way()
          except Exception as e:
              got = repr(e)
          if got != [1, 2]:
              wrong[name] = got
      wrong
      """;

  @Test
  void worksHoweverItIsMade() throws InterruptedException {
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      for (int job = 0; job < 2; job++) {
        PythonResult result = python.run(PythonJob.of(WAYS));
        assertEquals("{}", result.valueJson(), result::toString);
      }
    }
  }
}

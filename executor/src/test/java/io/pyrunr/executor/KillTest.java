package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pyrunr.wasm.runtime.StopSignal;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Jobs stopped at random instants, some asked and some by force, must leave nothing behind. More
 * rounds: {@code -Dpyrunr.kills=5000}; another course of events: {@code -Dpyrunr.seed=…}.
 */
class KillTest {
  private static final int ROUNDS = Integer.getInteger("pyrunr.kills", 200);
  private static final long SEED = Long.getLong("pyrunr.seed", 42L);

  private static final List<String> DIRT =
      List.of(
          "import builtins, os, sys, random",
          "print('in')",
          "builtins.evil = sys.evil = 1",
          "os.environ['EVIL'] = '1'",
          "os.chdir('/tmp')",
          "random.seed(1)");

  private static final List<String> WORK =
      List.of(
          "while True: pass",
          "while True: sys.modules['evil' + str(len(sys.modules))] = sys",
          "while True: open('/tmp/evil' + str(random.random()), 'w').write('x' * 5000)",
          "while True: sorted(range(2000), key=lambda v: -v)",
          "while True: sum(range(10**6))",
          "x = []\nwhile True: x.append(bytearray(100_000)); x = x[-100:]",
          "import json\nwhile True: json.loads(json.dumps([{'a': [1.5, None, 'x']}] * 50))",
          "while True:\n  try:\n    while True: 1 / 0\n  except BaseException: pass",
          "def f(n): return f(n + 1)\nwhile True:\n  try: f(0)\n  except RecursionError: pass",
          "import time\nwhile True: time.sleep(0.001)",
          "while True: print('x' * 100)",
          "while True: exec('class A: x = 1')",
          "import decimal\nwhile True: decimal.getcontext().prec = 5; decimal.Decimal(2).sqrt()",
          "import gc\nwhile True: gc.disable(); gc.collect(); gc.enable()",
          "import re\nwhile True: re.purge(); re.compile('(a|b)*c' * 5)",
          "import asyncio\nwhile True: await asyncio.sleep(0)");

  private static final String PROBE =
      """
      import asyncio, builtins, decimal, gc, json, os, re, sys
      async def waits():
          await asyncio.sleep(0)
          return 4
      assert not hasattr(builtins, "evil") and not hasattr(sys, "evil")
      assert "EVIL" not in os.environ and os.getcwd() == "/home/pyodide"
      assert os.listdir("/tmp") == [] and not any(m.startswith("evil") for m in sys.modules)
      assert gc.isenabled() and decimal.getcontext().prec == 28
      assert json.loads(json.dumps({"a": [1, 2.5]})) == {"a": [1, 2.5]}
      assert re.match("(a|b)*c", "abac").end() == 4
      assert asyncio.run(waits()) == 4
      assert sorted([3, 1, 2]) == [1, 2, 3]
      open("/tmp/probe", "w").write("x")
      print("clean")
      sum(range(1000))
      """;

  @Test
  void killedJobsLeaveNothingBehind() throws Exception {
    Random random = new Random(SEED);
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      Thread worker = workerThread(python);
      for (int round = 0; round < ROUNDS; round++) {
        String work = WORK.get(random.nextInt(WORK.size()));
        String code = String.join("\n", DIRT) + "\n" + work;
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<PythonResult> doomed =
            python.submit(PythonJob.of(code).withListener(whenItSpeaks(running)));
        running.await();
        LockSupport.parkNanos(random.nextInt(30_000_000));
        if (random.nextBoolean()) {
          doomed.cancel(true);
        } else {
          StopSignal.raise(worker);
          doomed.get();
          StopSignal.clear(worker);
        }
        PythonResult probe = python.run(PythonJob.of(PROBE));
        String context = "round " + round + ", seed " + SEED + ", after: " + work;
        assertEquals("499500", probe.valueJson(), () -> context + ": " + probe);
        assertEquals("clean\n", probe.stdout(), context);
        assertEquals("", probe.stderr(), context);
      }
    }
  }

  private static Thread workerThread(PythonExecutor python) throws Exception {
    return python.submit(PythonJob.of("1")).thenApply(result -> Thread.currentThread()).get();
  }

  private static JobListener whenItSpeaks(CountDownLatch latch) {
    return new JobListener() {
      @Override
      public void stdout(String text) {
        latch.countDown();
      }
    };
  }
}

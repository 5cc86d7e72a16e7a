package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.executor.PythonResult.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PythonExecutorTest {
  private static final Limits LONG = Limits.DEFAULT.withWallTime(Duration.ofSeconds(100));

  @Test
  void manyThreadsGetTheirOwnResults() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().workers(2).queueCapacity(5).build()) {
      List<Thread> threads = new ArrayList<>();
      List<String> wrong = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int number = t;
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    String mine = number + "-" + i;
                    PythonResult result = echo(python, mine);
                    if (!mine.equals(result.value()) || !result.stdout().equals(mine + "\n")) {
                      synchronized (wrong) {
                        wrong.add(mine + ": " + result);
                      }
                    }
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), wrong);
      assertEquals(200, python.statistics().jobs());
      assertEquals(200, python.statistics().restores());
      assertEquals(0, python.statistics().replacements());
    }
  }

  private static PythonResult echo(PythonExecutor python, String text) {
    try {
      return python.run(PythonJob.of("print(params)\nparams").withParams(text));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void cancellingStopsTheJobAndNoOther() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().limits(LONG).build()) {
      CountDownLatch running = new CountDownLatch(1);
      CompletableFuture<PythonResult> endless =
          python.submit(
              PythonJob.of("print('in')\nwhile True: pass").withListener(onOutput(running)));
      CompletableFuture<PythonResult> queued = python.submit(PythonJob.of("2"));
      CompletableFuture<PythonResult> next = python.submit(PythonJob.of("3"));
      running.await();
      assertTrue(queued.cancel(true));
      assertTrue(endless.cancel(true));
      assertThrows(CancellationException.class, endless::get);
      assertThrows(CancellationException.class, queued::get);
      assertEquals(3, next.get().value());
    }
  }

  @Test
  void cancellingAnUnwillingJobStopsItToo() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().limits(LONG).build()) {
      CountDownLatch running = new CountDownLatch(1);
      CompletableFuture<PythonResult> endless =
          python.submit(
              PythonJob.of("print('in')\nsum(range(10**15))").withListener(onOutput(running)));
      running.await();
      endless.cancel(true);
      assertEquals(3, python.run(PythonJob.of("3")).value());
    }
  }

  @Test
  void interruptingRunStopsTheJob() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().limits(LONG).build()) {
      CountDownLatch running = new CountDownLatch(1);
      CompletableFuture<Throwable> outcome = new CompletableFuture<>();
      Thread caller =
          new Thread(
              () -> {
                try {
                  python.run(
                      PythonJob.of("print('in')\nwhile True: pass")
                          .withListener(onOutput(running)));
                } catch (Exception e) {
                  outcome.complete(e);
                }
              });
      caller.start();
      running.await();
      caller.interrupt();
      assertEquals(InterruptedException.class, outcome.get().getClass());
      assertEquals(3, python.run(PythonJob.of("3")).value());
    }
  }

  private static JobListener onOutput(CountDownLatch latch) {
    return new JobListener() {
      @Override
      public void stdout(String text) {
        latch.countDown();
      }
    };
  }

  @Test
  void closeLetsQueuedJobsEndAndRefusesNewOnes() throws Exception {
    PythonExecutor python = PythonExecutor.builder().build();
    List<CompletableFuture<PythonResult>> futures = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      futures.add(python.submit(PythonJob.of("params").withParams(i)));
    }
    python.close();
    for (int i = 0; i < 5; i++) {
      assertEquals(i, futures.get(i).get().value());
    }
    assertThrows(RejectedExecutionException.class, () -> python.run(PythonJob.of("1")));
    python.close();
  }

  @Test
  void interruptedCloseStopsJobs() throws Exception {
    PythonExecutor python = PythonExecutor.builder().limits(LONG).build();
    CountDownLatch running = new CountDownLatch(1);
    CompletableFuture<PythonResult> endless =
        python.submit(PythonJob.of("print(1)\nwhile True: pass").withListener(onOutput(running)));
    CompletableFuture<PythonResult> queued = python.submit(PythonJob.of("1"));
    running.await();
    Thread.currentThread().interrupt();
    python.close();
    assertTrue(Thread.interrupted());
    assertTrue(endless.isCancelled());
    assertTrue(queued.isCancelled());
  }

  @Test
  void aPreloadThatDoesNotExistFailsEveryJobWithTheReason() {
    PythonExecutor python = PythonExecutor.builder().preload("no_such_module").build();
    CompletableFuture<PythonResult> future;
    try {
      future = python.submit(PythonJob.of("1"));
    } catch (RejectedExecutionException e) {
      assertTrue(e.getMessage().contains("no_such_module"), e.getMessage());
      return;
    }
    var error = assertThrows(Exception.class, future::get);
    assertTrue(
        error instanceof ExecutionException || error instanceof CancellationException,
        error.toString());
    python.close();
  }

  @Test
  void listenerHearsProgressAndOutput() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      List<String> heard = new ArrayList<>();
      JobListener listener =
          new JobListener() {
            @Override
            public void progress(double fraction) {
              heard.add("progress " + fraction);
            }

            @Override
            public void stdout(String text) {
              heard.add("out " + text.strip());
            }

            @Override
            public void stderr(String text) {
              heard.add("err " + text.strip());
            }
          };
      PythonResult result =
          python.run(
              PythonJob.of(
                      """
                      import pyrunr, sys
                      pyrunr.progress(0)
                      print("é")
                      pyrunr.progress(0.25)
                      print("no", file=sys.stderr)
                      open("/dev/pyrunr", "w").write("nonsense\\nprogress 7\\n")
                      for bad in (2, -1, float("nan"), "x"):
                          try:
                              pyrunr.progress(bad)
                          except ValueError:
                              pass
                      pyrunr.progress(1)
                      """)
                  .withListener(listener));
      assertTrue(result.succeeded(), result::toString);
      heard.removeIf(each -> each.endsWith(" "));
      assertEquals(
          List.of("progress 0.0", "out é", "progress 0.25", "err no", "progress 1.0"), heard);
    }
  }

  @Test
  void aListenerThatFailsDoesNotHarmTheJob() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      JobListener bad =
          new JobListener() {
            @Override
            public void progress(double fraction) {
              throw new IllegalStateException("progress");
            }

            @Override
            public void stdout(String text) {
              throw new IllegalStateException("output");
            }
          };
      PythonResult result =
          python.run(
              PythonJob.of("import pyrunr\npyrunr.progress(1)\nprint(1)\n5").withListener(bad));
      assertEquals(5, result.value());
      assertEquals("1\n", result.stdout());
    }
  }

  @Test
  void whatMustDifferBetweenJobsDoes() throws Exception {
    String code =
        """
        import os, random, secrets, tempfile, uuid
        [random.random(), random.getrandbits(64), secrets.token_hex(8), tempfile.mktemp(),
         str(uuid.uuid4()), str(uuid.uuid1()), os.urandom(8).hex(), random.Random().random()]
        """;
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      Set<Object> seen = new HashSet<>();
      for (int job = 0; job < 4; job++) {
        for (Object value : (List<?>) python.run(PythonJob.of(code)).value()) {
          assertTrue(seen.add(value), () -> "seen before: " + value);
        }
      }
    }
  }

  @Test
  void theRandomGeneratorsStateIsReplacedNotDamaged() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      PythonResult state =
          python.run(PythonJob.of("import random\ns = random.getstate()\n[s[0], len(s[1]), s[2]]"));
      assertEquals("[3,625,null]", state.valueJson());
      PythonResult seeded =
          python.run(
              PythonJob.of("random = __import__('random')\n" + "random.seed(7)\nrandom.random()"));
      assertEquals("0.32383276483316237", seeded.valueJson());
      PythonResult mean =
          python.run(
              PythonJob.of("import random\nsum(random.random() for _ in range(20000)) / 20000"));
      assertEquals(0.5, mean.valueAs(Double.class), 0.02);
    }
  }

  @Test
  void withoutRestoreOnlyTheMainModuleIsFresh() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().recycleAfter(3).build()) {
      python.run(PythonJob.of("import sys\nsys.left = 1\nmine = 1"));
      String probe = "import sys\n[hasattr(sys, 'left'), 'mine' in globals()]";
      assertEquals("[true,false]", python.run(PythonJob.of(probe)).valueJson());
      assertEquals("[true,false]", python.run(PythonJob.of(probe)).valueJson());
      assertEquals("[false,false]", python.run(PythonJob.of(probe)).valueJson());
      assertEquals(1, python.statistics().restores());
    }
  }

  @Test
  void aForcedStopRestoresWhateverRecycleAfterSays() throws Exception {
    try (PythonExecutor python =
        PythonExecutor.builder()
            .recycleAfter(100)
            .limits(Limits.DEFAULT.withWallTime(Duration.ofMillis(300)))
            .build()) {
      PythonResult stopped =
          python.run(PythonJob.of("import sys\nsys.left = 1\nsum(range(10**15))"));
      assertEquals(Status.TIMED_OUT, stopped.status());
      assertEquals(
          "false",
          python
              .run(PythonJob.of("import sys\nhasattr(sys, 'left')").withLimits(LONG))
              .valueJson());
    }
  }

  /** Whenever it comes: before the interpreter has begun the job, too. */
  @Test
  void noCancelIsLost() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().limits(LONG).build()) {
      python.run(PythonJob.of("1"));
      long start = System.nanoTime();
      for (int i = 0; i < 300; i++) {
        var job = python.submit(PythonJob.of("import time\ntime.sleep(90)"));
        for (long until = System.nanoTime() + i * 1_000L; System.nanoTime() < until; ) {
          Thread.onSpinWait();
        }
        assertTrue(job.cancel(true));
      }
      assertEquals(2, python.run(PythonJob.of("1 + 1")).value());
      assertTrue(System.nanoTime() - start < 80_000_000_000L, "a cancelled job ran on");
    }
  }

  /** They run on the interpreter's thread, which must not wait for itself. */
  @Test
  void dependentActionsSubmitButDoNotWait() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().queueCapacity(1).build()) {
      List<CompletableFuture<PythonResult>> chains = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        chains.add(
            python
                .submit(PythonJob.of("1"))
                .thenCompose(
                    first -> python.submit(PythonJob.of("params + 1").withParams(first.value()))));
      }
      for (var chain : chains) {
        assertEquals(2, chain.get().value());
      }
      var waiting =
          python
              .submit(PythonJob.of("import time\ntime.sleep(0.3)"))
              .thenApply(
                  result ->
                      assertThrows(IllegalStateException.class, () -> python.run(PythonJob.of("1")))
                          .getMessage());
      assertTrue(waiting.get().contains("…Async"), waiting.get());
      var closing =
          python
              .submit(PythonJob.of("import time\ntime.sleep(0.3)"))
              .thenAccept(result -> assertThrows(IllegalStateException.class, python::close));
      closing.get();
    }
  }

  @Test
  void settingsAreChecked() {
    var builder = PythonExecutor.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.workers(0));
    assertThrows(IllegalArgumentException.class, () -> builder.recycleAfter(-1));
    assertThrows(IllegalArgumentException.class, () -> builder.queueCapacity(0));
    assertThrows(NullPointerException.class, () -> PythonJob.of(null));
    assertThrows(IllegalArgumentException.class, () -> PythonJob.of("").withParams(new Object()));
  }

  @Test
  void durationsAreMeasured() throws Exception {
    try (PythonExecutor python = PythonExecutor.builder().build()) {
      PythonResult result = python.run(PythonJob.of("import time\ntime.sleep(0.1)"));
      assertTrue(result.duration().compareTo(Duration.ofMillis(90)) > 0);
      assertNotEquals(Duration.ZERO, result.restore());
      assertFalse(result.restore().isNegative());
    }
  }
}

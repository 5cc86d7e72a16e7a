package io.pyrunr.dashboard.internal.server;

import io.pyrunr.executor.jobrunr.PythonJobRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.scheduling.RecurringJobBuilder;

/** A dozen jobs that show what there is; their code is in the resources beside this class. */
public final class Demo {
  private static final Duration IN_A_MINUTE = Duration.ofMinutes(1);

  private Demo() {}

  /** Enqueues, schedules and repeats the demo's jobs. */
  public static void enqueue(JobServer server) throws IOException {
    JobRequestScheduler scheduler = server.scheduler();
    for (JobBuilder job : jobs()) {
      scheduler.create(job);
    }
    scheduler.create(
        JobBuilder.aJob()
            .withName("Scheduled: a note a minute after the start")
            .withLabels("demo", "scheduled")
            .withJobRequest(request("Scheduled", "scheduled.py"))
            .scheduleAt(Instant.now().plus(IN_A_MINUTE)));
    scheduler.createRecurrently(
        RecurringJobBuilder.aRecurringJob()
            .withId("pyrunr-demo-heartbeat")
            .withName("Recurring: heartbeat every minute")
            .withLabels("demo", "recurring")
            .withJobRequest(request("Recurring: heartbeat every minute", "heartbeat.py"))
            .withCron("* * * * *"));
    server.nudge();
  }

  private static List<JobBuilder> jobs() throws IOException {
    return List.of(
        job(
            "value",
            request("Sum of a parameter list", "sum.py")
                .withParams(Map.of("xs", List.of(1, 2, 3)))),
        job(
            "progress",
            request("Progress: π by Monte Carlo", "pi.py").withWallTime(Duration.ofMinutes(5))),
        job(
            "log",
            request("Log: quarterly figures from CSV", "figures.py")
                .withParams(
                    Map.of("csv", "region,q1,q2\nNorth,120,135\nSouth,80,76\nWest,201,230\n"))),
        job(
            "error",
            request("Fails: a price that is no number", "orders.py")
                .withParams(
                    List.of(
                        Map.of("id", 4711, "price", "19.90"), Map.of("id", 4712, "price", "n/a")))),
        job(
            "limit",
            request("Times out: a loop without end", "endless.py")
                .withWallTime(Duration.ofSeconds(2))),
        job(
            "limit",
            request("Runs out of memory: a list that only grows", "hog.py")
                .withMemoryBytes(128L << 20)),
        job("value", request("Unicode: greetings in eight scripts", "unicode.py")),
        job("value", request("Exact: the Mersenne prime 2⁵²¹ − 1", "mersenne.py")),
        job("value", request("Types: dates, decimals, sets, bytes", "types.py")),
        job("log", request("Async: three tasks at one time", "tasks.py")),
        job("isolation", request("Isolation: break the interpreter", "vandal.py")),
        job("isolation", request("Isolation: the next job sees nothing of it", "after.py")));
  }

  private static JobBuilder job(String label, PythonJobRequest request) {
    return JobBuilder.aJob()
        .withName(request.displayName())
        .withLabels("demo", label)
        .withJobRequest(request);
  }

  private static PythonJobRequest request(String name, String resource) throws IOException {
    try (InputStream in = Demo.class.getResourceAsStream("demo/" + resource)) {
      if (in == null) {
        throw new IllegalStateException("the jar has no demo/" + resource);
      }
      String code = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return PythonJobRequest.of(code).withName(name);
    }
  }
}

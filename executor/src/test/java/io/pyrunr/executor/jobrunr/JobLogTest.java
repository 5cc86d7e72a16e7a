package io.pyrunr.executor.jobrunr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobDetails;
import org.jobrunr.jobs.context.JobDashboardLogger.JobDashboardLogLines;
import org.jobrunr.jobs.context.JobDashboardProgressBar.JobDashboardProgress;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.server.runner.RunnerJobContext;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.junit.jupiter.api.Test;

class JobLogTest {
  private final Job job = new Job(new JobDetails(PythonJobRequest.of("1")));
  private final JobLog log = new JobLog(new RunnerJobContext(job));

  @Test
  void splitsOutputIntoLinesWhereverItIsCut() {
    log.stdout("a\nb");
    log.stderr("oh");
    log.stdout("c\n\nd");
    log.flush();
    assertEquals(List.of("INFO a", "INFO bc", "INFO ", "INFO d", "WARN oh"), lines());
  }

  @Test
  void longOutputIsCappedAndSaysSo() {
    for (int i = 0; i < 100; i++) {
      log.stdout("x".repeat(1023) + "\n");
    }
    log.flush();
    assertTrue(lines().size() < 70, "lines: " + lines().size());
    assertTrue(lines().get(lines().size() - 1).contains("the log ends here"));
    assertFalse(lines().get(lines().size() - 2).contains("the log ends here"));
  }

  /** Each line costs its own JSON object, so short lines must be counted too. */
  @Test
  void manyEmptyLinesAreCapped() {
    log.stdout("\n".repeat(60_000));
    assertTrue(new JobMapper(new JacksonJsonMapper()).serializeJob(job).length() < 300_000);
  }

  @Test
  void outputWithoutLineBreaksIsNotHeldForEver() {
    for (int i = 0; i < 200; i++) {
      log.stdout("x".repeat(1024));
    }
    assertFalse(lines().isEmpty());
    assertTrue(new JobMapper(new JacksonJsonMapper()).serializeJob(job).length() < 300_000);
  }

  @Test
  void progressIsAPercentage() {
    log.progress(0.256);
    assertEquals(26, progress());
    log.progress(2);
    assertEquals(100, progress());
    log.progress(Double.NaN);
    assertEquals(0, progress());
  }

  private List<String> lines() {
    return job.getMetadata().values().stream()
        .filter(JobDashboardLogLines.class::isInstance)
        .map(JobDashboardLogLines.class::cast)
        .flatMap(logged -> logged.getLogLines().stream())
        .map(line -> line.getLevel() + " " + line.getLogMessage())
        .toList();
  }

  private int progress() {
    return job.getMetadata().values().stream()
        .filter(JobDashboardProgress.class::isInstance)
        .map(JobDashboardProgress.class::cast)
        .findFirst()
        .orElseThrow()
        .getProgressAsPercentage();
  }
}

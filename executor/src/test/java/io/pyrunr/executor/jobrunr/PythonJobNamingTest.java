package io.pyrunr.executor.jobrunr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.jobrunr.jobs.AbstractJob;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.scheduling.RecurringJobBuilder;
import org.jobrunr.storage.InMemoryStorageProvider;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PythonJobNamingTest {
  private final StorageProvider storage = new InMemoryStorageProvider();
  private final JobRequestScheduler scheduler =
      new JobRequestScheduler(storage, List.of(new PythonJobNaming()));
  private final PythonJobRequest request = PythonJobRequest.of("sum(params)  # 100 %0 %X{a}");

  @BeforeEach
  void setUp() {
    storage.setJobMapper(new JobMapper(new JacksonJsonMapper()));
  }

  @Test
  void plainlyEnqueuedJobsAreNamedAfterTheirCode() {
    AbstractJob job = storage.getJobById(scheduler.enqueue(request));
    assertEquals("sum(params)  # 100 %0 %X {a}", job.getJobName());
    assertEquals(List.of("python"), job.getLabels());
  }

  @Test
  void namesAndLabelsOfABuilderAreKept() {
    AbstractJob job =
        storage.getJobById(
            scheduler.create(
                JobBuilder.aJob()
                    .withName("nightly")
                    .withLabels("a", "b")
                    .withJobRequest(request)));
    assertEquals("nightly", job.getJobName());
    assertEquals(List.of("a", "b"), job.getLabels());
  }

  @Test
  void recurringJobsAreNamedToo() {
    scheduler.createRecurrently(
        RecurringJobBuilder.aRecurringJob()
            .withId("r")
            .withInterval(Duration.ofMinutes(5))
            .withJobRequest(request.withName("heartbeat")));
    assertEquals("heartbeat", storage.getRecurringJobs().get(0).getJobName());
  }
}

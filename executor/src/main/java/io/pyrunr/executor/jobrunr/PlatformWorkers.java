package io.pyrunr.executor.jobrunr;

import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.configuration.BackgroundJobServerWorkerPolicy;
import org.jobrunr.server.strategy.BasicWorkDistributionStrategy;
import org.jobrunr.server.strategy.WorkDistributionStrategy;
import org.jobrunr.server.threadpool.JobRunrExecutor;
import org.jobrunr.server.threadpool.PlatformThreadPoolJobRunrExecutor;

/**
 * As many platform threads as there are interpreters. JobRunr's default on JDK 21 and later, 16
 * virtual threads per core, would claim jobs that no interpreter is free for.
 */
record PlatformWorkers(int count) implements BackgroundJobServerWorkerPolicy {

  @Override
  public WorkDistributionStrategy toWorkDistributionStrategy(BackgroundJobServer server) {
    return new BasicWorkDistributionStrategy(server, count);
  }

  @Override
  public JobRunrExecutor toJobRunrExecutor() {
    return new PlatformThreadPoolJobRunrExecutor(count, "pyrunr-worker");
  }
}

package io.pyrunr.dashboard.internal.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.pyrunr.executor.jobrunr.PythonJobFailure;
import java.util.Set;

/**
 * Drops JobRunr's report of a job that failed by its own code or was stopped. The handler has
 * logged that in one line, and the traceback, which may hold the job's data, belongs to the job's
 * page.
 */
public final class QuietFailures extends Filter<ILoggingEvent> {
  private static final Set<String> LOGGED_ALREADY =
      Set.of(PythonJobFailure.class.getName(), InterruptedException.class.getName());

  @Override
  public FilterReply decide(ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    return thrown != null && LOGGED_ALREADY.contains(thrown.getClassName())
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}

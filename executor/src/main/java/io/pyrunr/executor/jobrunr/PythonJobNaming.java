package io.pyrunr.executor.jobrunr;

import java.util.List;
import org.jobrunr.jobs.AbstractJob;
import org.jobrunr.jobs.JobParameter;
import org.jobrunr.jobs.filters.JobClientFilter;
import org.jobrunr.utils.JobUtils;

/**
 * Gives Python jobs names and labels that read well in the dashboard. Pass it to {@code
 * JobRunr.configure().withJobFilter(..)} or to a {@code JobRequestScheduler}; a name or label set
 * with a {@code JobBuilder} is kept.
 *
 * <p>A filter rather than {@code @Job(name = ..)} on the handler, because JobRunr refuses a
 * JobBuilder for annotated methods. Stateless, hence thread-safe.
 */
public final class PythonJobNaming implements JobClientFilter {

  /** The label of jobs that were given none. */
  public static final String LABEL = "python";

  @Override
  public void onCreating(AbstractJob job) {
    List<JobParameter> parameters = job.getJobDetails().getJobParameters();
    if (parameters.size() != 1
        || !(parameters.get(0).getObject() instanceof PythonJobRequest request)) {
      return;
    }
    String generated = JobUtils.getReadableNameFromJobDetails(job.getJobDetails());
    if (job.getJobName() == null || job.getJobName().equals(generated)) {
      job.setJobName(request.displayName());
    }
    if (job.getLabels() == null || job.getLabels().isEmpty()) {
      job.setLabels(List.of(LABEL));
    }
  }
}

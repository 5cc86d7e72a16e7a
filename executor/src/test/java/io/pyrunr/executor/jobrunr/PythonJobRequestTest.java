package io.pyrunr.executor.jobrunr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.executor.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobDetails;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.junit.jupiter.api.Test;

class PythonJobRequestTest {
  private final JobMapper mapper = new JobMapper(new JacksonJsonMapper());

  @Test
  void survivesJobRunrsStorage() {
    PythonJobRequest request =
        PythonJobRequest.of("print('é')\nparams")
            .withName("näme")
            .withParams(Map.of("xs", List.of(1, 2.5, "ü\u0000\n")))
            .withWallTime(Duration.ofMillis(1234))
            .withMemoryBytes(99L << 20)
            .withRequires(List.of("numpy>=2", "x[y]"));
    assertEquals(request, storedAndRead(request));
    PythonJobRequest plain = PythonJobRequest.of("1");
    assertEquals(plain, storedAndRead(plain));
  }

  /** Default typing would make an object of any class that a user's map names. */
  @Test
  void paramsNeverBecomeJavaObjects() {
    String hostile = "{\"@class\":\"javax.swing.JEditorPane\",\"page\":\"x\"}";
    PythonJobRequest request = PythonJobRequest.of("params").withParamsJson(hostile);
    PythonJobRequest read = storedAndRead(request);
    assertEquals(hostile, read.paramsJson());
    for (var component : PythonJobRequest.class.getRecordComponents()) {
      assertTrue(
          component.getType() == String.class || component.getType() == Long.class,
          component.getName() + " must be a String or a Long");
    }
  }

  @Test
  void whatItRequiresReachesTheJob() {
    PythonJobRequest request = PythonJobRequest.of("1");
    assertEquals(null, request.toJob(Limits.DEFAULT).requires());
    assertEquals(List.of(), request.withRequires(List.of()).toJob(Limits.DEFAULT).requires());
    assertEquals(
        List.of("a", "b>1"),
        request.withRequires(List.of("a", "b>1")).toJob(Limits.DEFAULT).requires());
    assertThrows(IllegalArgumentException.class, () -> request.withRequires(List.of("a\nb")));
  }

  @Test
  void limitsItLeavesOpenAreTheExecutors() {
    Limits executors = Limits.DEFAULT.withWallTime(Duration.ofSeconds(3)).withMemoryBytes(1 << 26);
    PythonJobRequest open = PythonJobRequest.of("1");
    assertEquals(executors, open.toJob(executors).limits());
    assertEquals(
        executors.withWallTime(Duration.ofSeconds(9)),
        open.withWallTime(Duration.ofSeconds(9)).toJob(executors).limits());
    assertEquals(
        executors.withMemoryBytes(1 << 27),
        open.withMemoryBytes(1L << 27).toJob(executors).limits());
    assertEquals(
        executors, open.withMemoryBytes(5L).withMemoryBytes(null).toJob(executors).limits());
  }

  /** One row that cannot be read stops JobRunr for good, so each is read, and fails as a job. */
  @Test
  void rowsThatCannotBeRunAreStillRead() {
    String much = "x".repeat(PythonJobRequest.MOST_CHARACTERS);
    for (PythonJobRequest bad :
        List.of(
            new PythonJobRequest(null, much, "null", null, null, null),
            new PythonJobRequest(null, "1", "null", -5L, null, null),
            new PythonJobRequest(null, "1", "null", null, 0L, null),
            new PythonJobRequest(null, "1", "null", Long.MAX_VALUE, null, null),
            new PythonJobRequest(null, "1", "null", null, null, "x".repeat(201)),
            new PythonJobRequest(null, null, null, null, null, null))) {
      PythonJobRequest read = storedAndRead(bad);
      assertEquals(bad, read);
      assertEquals(1, read.displayName().lines().count());
      var e = assertThrows(IllegalArgumentException.class, () -> read.toJob(Limits.DEFAULT));
      assertEquals(1, e.getMessage().lines().count(), e.getMessage());
    }
  }

  @Test
  void isNamedAfterItsFirstLineUnlessGivenAName() {
    assertEquals("x = 1", PythonJobRequest.of("\n\n  x = 1\ny = 2").displayName());
    assertEquals("report", PythonJobRequest.of("x = 1").withName("report").displayName());
    assertEquals("x = 1", PythonJobRequest.of("x = 1").withName(" ").displayName());
    assertEquals("(empty)", PythonJobRequest.of("").displayName());
    assertEquals("a b", PythonJobRequest.of("1").withName("a\r\n\tb").displayName());
    String cut = PythonJobRequest.of("😀".repeat(200)).displayName();
    assertEquals(80, cut.codePointCount(0, cut.length()));
    assertTrue(cut.endsWith("😀…"), cut);
  }

  /** JobRunr expands %X{key} in names to entries of the logging context. */
  @Test
  void namesAreNotTemplates() {
    assertFalse(PythonJobRequest.of("'%X{secret}'").displayName().contains("%X{"));
  }

  @Test
  void refusesLimitsThatAreNotPositive() {
    PythonJobRequest request = PythonJobRequest.of("1");
    assertThrows(IllegalArgumentException.class, () -> request.withWallTime(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> request.withMemoryBytes(0L));
    String much = "x".repeat(PythonJobRequest.MOST_CHARACTERS);
    assertThrows(IllegalArgumentException.class, () -> PythonJobRequest.of(much));
    assertThrows(IllegalArgumentException.class, () -> request.withParamsJson(much));
    assertThrows(IllegalArgumentException.class, () -> request.withName(much));
    List<String> long201 = List.of("x".repeat(201));
    assertThrows(IllegalArgumentException.class, () -> request.withRequires(long201));
  }

  /** Logs print requests; what a job works on does not belong there. */
  @Test
  void textFormHoldsNoParams() {
    assertFalse(
        PythonJobRequest.of("1").withParamsJson("\"secret\"").toString().contains("secret"));
  }

  private PythonJobRequest storedAndRead(PythonJobRequest request) {
    String stored = mapper.serializeJob(new Job(new JobDetails(request)));
    Job read = mapper.deserializeJob(stored);
    return (PythonJobRequest) read.getJobDetails().getJobParameters().get(0).getObject();
  }
}

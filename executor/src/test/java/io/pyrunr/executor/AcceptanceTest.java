package io.pyrunr.executor;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases that public reports about systems like this one ask for, and leaks of our own. */
class AcceptanceTest {
  private static PythonExecutor isolated;
  private static PythonExecutor recycling;

  @BeforeAll
  static void start() {
    isolated = PythonExecutor.builder().build();
    recycling = PythonExecutor.builder().recycleAfter(50).build();
  }

  @AfterAll
  static void stop() {
    isolated.close();
    recycling.close();
  }

  static Stream<PythonCase> cases() {
    return PythonCase.load("acceptance.json");
  }

  static Stream<PythonCase> casesWithoutIsolation() {
    return cases().filter(each -> !each.id().startsWith("iso-"));
  }

  static Stream<PythonCase> leaks() {
    return PythonCase.load("leaks.json");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void restoredAfterEachJob(PythonCase each) throws Exception {
    each.check(isolated);
  }

  @ParameterizedTest
  @MethodSource("casesWithoutIsolation")
  void restoredAfterFiftyJobs(PythonCase each) throws Exception {
    each.check(recycling);
  }

  @ParameterizedTest
  @MethodSource("leaks")
  void nothingLeaksIntoTheNextJob(PythonCase each) throws Exception {
    each.check(isolated);
  }
}

package io.pyrunr.dashboard.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test that needs something outside the JVM. Where that is missing the test is skipped and says
 * so; in CI, where .ci/run provides it, it fails instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Requires.Condition.class)
@interface Requires {
  Service value();

  /** What can be needed, and how one sees that it is there. */
  enum Service {
    /** Named by PYRUNR_TEST_POSTGRES_URL, .._USER and .._PASSWORD. */
    POSTGRESQL {
      @Override
      boolean isThere() {
        return System.getenv("PYRUNR_TEST_POSTGRES_URL") != null;
      }
    },
    /** Debian's chromium and chromium-driver. */
    BROWSER {
      @Override
      boolean isThere() {
        return onPath("chromedriver") && onPath("chromium");
      }
    };

    abstract boolean isThere();

    static boolean onPath(String program) {
      return Arrays.stream(System.getenv("PATH").split(":"))
          .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
  }

  /** Skips or fails. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      Service service = context.getRequiredTestClass().getAnnotation(Requires.class).value();
      if (service.isThere()) {
        return ConditionEvaluationResult.enabled(service + " is there");
      }
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException("CI has no " + service + "; .ci/run must provide it");
      }
      return ConditionEvaluationResult.disabled(
          service + " is missing; .ci/run runs this test with one");
    }
  }
}

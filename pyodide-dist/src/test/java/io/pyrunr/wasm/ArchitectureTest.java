package io.pyrunr.wasm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The tool chain's packages know only what they build on. */
@AnalyzeClasses(
    packages = "io.pyrunr",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NotGenerated.class})
class ArchitectureTest {
  /** Compiled Pyodide is a thousand classes that say nothing here. */
  static final class NotGenerated implements ImportOption {
    @Override
    public boolean includes(com.tngtech.archunit.core.importer.Location location) {
      return !location.contains("/dist/generated/");
    }
  }

  private static ArchRule only(String subject, String... others) {
    String[] allowed = java.util.Arrays.copyOf(others, others.length + 1);
    allowed[others.length] = subject;
    return noClasses()
        .that()
        .resideInAPackage(subject)
        .should()
        .dependOnClassesThat(
            com.tngtech.archunit.base.DescribedPredicate.describe(
                "are ours, but not in " + String.join(", ", allowed),
                type ->
                    type.getPackageName().startsWith("io.pyrunr")
                        && !java.util.List.of(allowed).contains(type.getPackageName())));
  }

  @ArchTest static final ArchRule irStandsAlone = only("io.pyrunr.wasm.ir");

  @ArchTest
  static final ArchRule passesKnowTheTree = only("io.pyrunr.wasm.pass", "io.pyrunr.wasm.ir");

  @ArchTest static final ArchRule runtimeStandsAlone = only("io.pyrunr.wasm.runtime");

  @ArchTest
  static final ArchRule compilerKnowsTheRuntime =
      only("io.pyrunr.wasm.jvm", "io.pyrunr.wasm.runtime");

  @ArchTest
  static final ArchRule nobodyUsesTheBuild =
      classes()
          .that()
          .resideInAPackage("io.pyrunr.dist.build")
          .should()
          .onlyHaveDependentClassesThat()
          .resideInAPackage("io.pyrunr.dist.build");
}

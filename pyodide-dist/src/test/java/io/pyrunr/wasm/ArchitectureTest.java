package io.pyrunr.wasm;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.ArrayList;
import java.util.List;

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

  private static final String WASM = "io.pyrunr.wasm.";

  /** Each package may use those before it: no circle, and nothing public is reached from below. */
  private static final List<String> ORDER =
      List.of(
          WASM + "format",
          WASM + "runtime",
          WASM + "types",
          WASM + "internal.ir",
          WASM + "internal.pass",
          WASM + "internal.pass.stack",
          WASM + "internal.pass.lower",
          WASM + "internal.pass.link",
          WASM + "internal.pass.split",
          WASM + "internal.jvm",
          WASM + "internal",
          "io.pyrunr.wasm",
          "io.pyrunr.dist",
          "io.pyrunr.dist.internal");

  @ArchTest
  static final ArchRule no_package_uses_one_above_it = CompositeArchRule.of(order()).as("order");

  private static List<ArchRule> order() {
    List<ArchRule> rules = new ArrayList<>();
    for (int i = 0; i < ORDER.size(); i++) {
      List<String> allowed = ORDER.subList(0, i + 1);
      rules.add(
          noClasses()
              .that()
              .resideInAPackage(ORDER.get(i))
              .should()
              .dependOnClassesThat(
                  describe(
                      "are ours, but not in " + allowed,
                      type ->
                          type.getPackageName().startsWith("io.pyrunr")
                              && !allowed.contains(type.getPackageName()))));
    }
    return rules;
  }

  @ArchTest
  static final ArchRule passesKnowTheTreeOnly =
      noClasses()
          .that()
          .resideInAPackage(WASM + "internal.pass..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              WASM + "runtime", WASM + "types", WASM + "internal.jvm", "com.dylibso.chicory..");

  /** Chicory's compiler is internal to it, and its successor does not export it any more. */
  @ArchTest
  static final ArchRule oneClassKnowsChicorysCompiler =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(WASM + "internal.jvm.ChicoryBackend")
          .and()
          .doNotHaveFullyQualifiedName(WASM + "internal.jvm.ChicoryBackend$Collector")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.dylibso.chicory.compiler..");
}

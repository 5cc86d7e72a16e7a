package io.pyrunr.executor;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import io.pyrunr.dist.PyodideDistribution;
import java.util.ArrayList;
import java.util.List;

/** Three rings, and no way back: entry, jobs, ground. RATIONALE says what each package is for. */
@AnalyzeClasses(packages = "io.pyrunr.executor", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String INTERNAL = "io.pyrunr.executor.internal.";

  /** Each package may use those before it. */
  private static final List<String> GROUND =
      List.of(
          "io",
          "fs",
          "packaging",
          "emscripten",
          "link",
          "python",
          "wheels.archive",
          "wheels.resolve",
          "wheels");

  private static final List<String> JOBS =
      List.of("device", "image", "interpreter", "pool", "bytecode");

  @ArchTest
  static final ArchRule no_package_uses_one_above_it = CompositeArchRule.of(order()).as("order");

  private static List<ArchRule> order() {
    List<String> all = new ArrayList<>(GROUND);
    all.addAll(JOBS);
    List<ArchRule> rules = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      List<String> allowed = all.subList(0, i + 1).stream().map(INTERNAL::concat).toList();
      rules.add(
          noClasses()
              .that()
              .resideInAPackage(INTERNAL + all.get(i))
              .should()
              .dependOnClassesThat(
                  describe(
                      "are internal, but not in " + allowed,
                      type ->
                          type.getPackageName().startsWith(INTERNAL)
                              && !allowed.contains(type.getPackageName()))));
    }
    return rules;
  }

  @ArchTest
  static final ArchRule every_internal_package_has_its_place =
      noClasses()
          .should(
              com.tngtech.archunit.lang.conditions.ArchConditions.be(
                  describe(
                      "in an internal package that the order does not name",
                      (JavaClass type) ->
                          type.getPackageName().startsWith(INTERNAL)
                              && !GROUND.contains(name(type))
                              && !JOBS.contains(name(type)))));

  private static String name(JavaClass type) {
    return type.getPackageName().substring(INTERNAL.length());
  }

  /** Values that a job is made of and ends with are for all; what starts it is not. */
  @ArchTest
  static final ArchRule nothing_internal_reaches_the_entry =
      noClasses()
          .that()
          .resideInAPackage("io.pyrunr.executor.internal..")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(PythonExecutor.class, WheelCache.class)
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("io.pyrunr.executor.jobrunr..", "io.pyrunr.executor.results..");

  @ArchTest
  static final ArchRule wheels_know_neither_linker_nor_interpreter =
      noClasses()
          .that()
          .resideInAPackage(INTERNAL + "wheels..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              INTERNAL + "link..",
              INTERNAL + "python..",
              INTERNAL + "emscripten..",
              "com.dylibso.chicory..");

  @ArchTest
  static final ArchRule only_linking_and_python_know_chicory =
      noClasses()
          .that(
              resideInAnyPackage("io.pyrunr.executor..")
                  .and(
                      com.tngtech.archunit.base.DescribedPredicate.not(
                          resideInAnyPackage(INTERNAL + "link", INTERNAL + "python"))))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.dylibso.chicory..");

  @ArchTest
  static final ArchRule the_tool_chains_inner_rooms_are_closed =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.pyrunr.wasm.internal..", "io.pyrunr.dist.internal..");

  /** Which Pyodide it is, is decided where an executor is built, and handed down. */
  @ArchTest
  static final ArchRule only_the_entry_chooses_a_distribution =
      noClasses()
          .that()
          .resideInAPackage("io.pyrunr.executor.internal..")
          .and()
          .doNotHaveFullyQualifiedName(INTERNAL + "bytecode.BootImageBuild")
          .and()
          .doNotHaveFullyQualifiedName(INTERNAL + "image.LoadAhead")
          .should()
          .callMethod(PyodideDistribution.class, "bundled");

  @ArchTest
  static final ArchRule only_the_glue_knows_jobrunr =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.pyrunr.executor.jobrunr")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.jobrunr..");
}

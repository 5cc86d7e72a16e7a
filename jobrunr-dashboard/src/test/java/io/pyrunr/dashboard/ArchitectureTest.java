package io.pyrunr.dashboard;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependencies point one way; what Maven cannot see of that is checked here. */
@AnalyzeClasses(packages = "io.pyrunr.dashboard", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule the_dashboard_uses_the_executors_public_packages_only =
      noClasses()
          .that()
          .resideInAPackage("io.pyrunr.dashboard..")
          .and()
          .doNotHaveFullyQualifiedName("io.pyrunr.dashboard.Pyrunr") // see LoadAhead
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.pyrunr.executor.internal..", "io.pyrunr.dist..", "io.pyrunr.wasm..")
          .orShould()
          .dependOnClassesThat()
          .resideInAPackage("com.dylibso.chicory..");

  @ArchTest
  static final ArchRule only_the_main_class_is_public =
      classes()
          .that()
          .resideInAPackage("io.pyrunr.dashboard")
          .and()
          .arePublic()
          .should()
          .haveSimpleName("Pyrunr");

  @ArchTest
  static final ArchRule parts_of_the_dashboard_form_no_cycle =
      slices().matching("io.pyrunr.dashboard.internal.(*)..").should().beFreeOfCycles();
}

package dev.forebay;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dependencies point one way: appender, pipeline, then agent and observe. */
@Tag("once")
class LayeringTest {

  /** What tests wait with is in a module of its own. */
  private static final String OF_TESTS = "dev.forebay.host";

  private static final String OF_OTHERS = "dev.forebay.shaded..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.forebay")
          .that(resideOutsideOfPackages(OF_TESTS, OF_OTHERS));

  /** Package to the packages of ours that it may use, beside itself. */
  private static final Map<String, List<String>> MAY_USE =
      Map.of(
          "dev.forebay.agent", List.of(),
          "dev.forebay.observe", List.of(),
          "dev.forebay.redact", List.of(),
          "dev.forebay.pipeline",
              List.of("dev.forebay.agent", "dev.forebay.observe", "dev.forebay.redact"),
          "dev.forebay",
              List.of(
                  "dev.forebay.pipeline",
                  "dev.forebay.agent",
                  "dev.forebay.observe",
                  "dev.forebay.redact"));

  @Test
  void everyPackageUsesOnlyWhatIsBelowIt() {
    MAY_USE.forEach(
        (from, allowed) -> {
          Set<String> others = new HashSet<>(MAY_USE.keySet());
          others.removeAll(allowed);
          others.remove(from);
          noClasses()
              .that()
              .resideInAPackage(from)
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(others.toArray(String[]::new))
              .check(CLASSES);
        });
    assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct())
        .containsExactlyInAnyOrderElementsOf(MAY_USE.keySet());
  }

  @Test
  void onlyTheRingKnowsItsQueue() {
    noClasses()
        .that()
        .haveNameNotMatching(".*[.](EventRing|RingSlots)")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(OF_OTHERS)
        .check(CLASSES);
    classes()
        .that()
        .haveFullyQualifiedName("dev.forebay.pipeline.RingSlots")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(OF_OTHERS)
        .check(CLASSES);
  }

  @Test
  void agentsKnowNothingOfLogging() {
    noClasses()
        .that()
        .resideInAPackage("dev.forebay.agent")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ch.qos.logback..", "org.slf4j..")
        .check(CLASSES);
  }
}

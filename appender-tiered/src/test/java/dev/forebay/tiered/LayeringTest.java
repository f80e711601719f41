package dev.forebay.tiered;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dependencies point one way: the picture in the package comments is the one in the code. */
@Tag("once")
class LayeringTest {

  private static final String ROOT = "dev.forebay.tiered.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.forebay.tiered");

  @ParameterizedTest
  @CsvSource({
    "disk, disk",
    "identity, identity disk dev.forebay.observe",
    "checkpoint, checkpoint spool identity disk",
    "spool, spool identity disk dev.forebay.observe",
    "jvm, jvm ship checkpoint spool identity disk dev.forebay dev.forebay.agent dev.forebay.observe",
    "overflow, overflow ship spool identity disk dev.forebay.agent dev.forebay.observe",
    "stream, stream ship checkpoint spool identity",
    "ship, ship checkpoint spool identity disk dev.forebay.agent",
    "file, file ship checkpoint spool identity disk dev.forebay.agent",
    "control, control spool dev.forebay.agent dev.forebay.observe dev.forebay.pipeline",
    "flight, flight spool identity disk dev.forebay.agent dev.forebay.observe dev.forebay.pipeline"
  })
  void aStageKnowsOnlyTheStagesBelowIt(String stage, String known) {
    String[] allowed = known.split(" ");
    for (int i = 0; i < allowed.length; i++) {
      allowed[i] = allowed[i].contains(".") ? allowed[i] : ROOT + allowed[i];
    }
    classes()
        .that()
        .resideInAPackage(ROOT + stage)
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe(
                "belong to " + known + " or are not ours",
                type ->
                    !type.getPackageName().startsWith("dev.forebay")
                        || List.of(allowed).contains(type.getPackageName())))
        .check(CLASSES);
  }

  @Test
  void onlyTheAppenderAndTheFileKnowLogback() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + "disk", ROOT + "spool", ROOT + "ship")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("ch.qos.logback..")
        .check(CLASSES);
  }

  @Test
  void nothingIsSerialisedOrDeserialisedByJava() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.io\\.Object(In|Out)put.*|java\\.io\\.Externalizable|java\\.beans\\..*"
                + "|java\\.rmi\\..*|javax\\.script\\..*")
        .because("what stands in a spool is bytes, whoever wrote it")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.forebay", "dev.forebay.tiered"));
  }

  @Test
  void thereAreNoCycles() {
    slices().matching("dev.forebay.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}

package dev.forebay.tiered;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dependencies point one way: the picture in the package comments is the one in the code. */
@Tag("once")
class LayeringTest {

  private static final String ROOT = "dev.forebay.tiered.";

  private static final JavaClasses ALL_CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.forebay");

  private static final JavaClasses CLASSES =
      ALL_CLASSES.that(JavaClass.Predicates.resideInAPackage("dev.forebay.tiered.."));

  @ParameterizedTest
  @CsvSource({
    "apart, apart file jvm ship checkpoint spool identity disk dev.forebay.agent",
    "disk, disk dev.forebay.agent",
    "encode, encode dev.forebay.pipeline dev.forebay.redact",
    "identity, identity disk dev.forebay.observe",
    "checkpoint, checkpoint spool identity disk",
    "spool, spool identity disk dev.forebay.observe",
    "jvm, jvm ship checkpoint spool identity disk dev.forebay dev.forebay.agent dev.forebay.observe",
    "overflow, overflow ship spool identity disk dev.forebay.agent dev.forebay.observe",
    "stream, stream ship checkpoint spool identity",
    "ship, ship checkpoint spool identity disk dev.forebay.agent",
    "file, file ship checkpoint spool identity disk dev.forebay.agent",
    "control, control spool dev.forebay.agent dev.forebay.observe dev.forebay.pipeline",
    "flight, flight spool identity disk dev.forebay.agent dev.forebay.observe dev.forebay.pipeline dev.forebay.redact"
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

  /** Else tests could not make it fail there. What links and the umask decide is left to NIO. */
  @Test
  void logsAndSpoolsAreReadAndWrittenThroughTheDisk() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + "disk", ROOT + "control", ROOT + "stream")
        .and()
        .haveNameNotMatching(".*[.](LogPath|ArchiveKeeper)")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.nio.file.Files")
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
        .check(ALL_CLASSES);
  }

  /**
   * The JDK (17 and, softly, 25) keeps in {@code java.lang.runtime.ObjectMethods} the type that it
   * last compared in a record, and with it the class loader of an undeployed application.
   */
  @Test
  void noRecordIsComparedThatHasAComponentOfOurs() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "compares or hashes a record with a component of ours",
                call ->
                    Set.of("equals", "hashCode").contains(call.getName())
                        && call.getTargetOwner().isRecord()
                        && call.getTargetOwner().getFields().stream()
                            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                            .anyMatch(
                                field ->
                                    !field.getRawType().getBaseComponentType().isPrimitive()
                                        && !field
                                            .getRawType()
                                            .getPackageName()
                                            .startsWith("java."))))
        .check(ALL_CLASSES);
  }

  @Test
  void thereAreNoCycles() {
    slices().matching("dev.forebay.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}

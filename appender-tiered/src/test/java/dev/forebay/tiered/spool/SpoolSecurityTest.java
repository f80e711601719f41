package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A base directory that others can write to, and what they may have put there. */
@Tag("once")
class SpoolSecurityTest {
  private static final int STRANGER = 12345;
  private static final Path LOG = Path.of("app.log");

  private final Disk disk = new NioDisk();
  @TempDir Path base;
  private String name;
  private Path preferred;

  @BeforeEach
  void setUp() {
    name = "forebay-" + disk.userId();
    preferred = base.resolve(name);
  }

  @Test
  void aSymbolicLinkAtOurNameIsNotFollowed() throws IOException {
    Path target = Files.createDirectory(base.resolve("target"));
    Files.createSymbolicLink(preferred, target);

    expectOtherName("is a symbolic link");

    assertThat(target).isEmptyDirectory();
  }

  @Test
  void aDanglingLinkAtOurNameIsNotFollowed() throws IOException {
    Files.createSymbolicLink(preferred, base.resolve("target"));

    expectOtherName("is a symbolic link");

    assertThat(base.resolve("target")).doesNotExist();
  }

  @Test
  void aFileAtOurNameIsRefused() throws IOException {
    Files.writeString(preferred, "x");
    expectOtherName("is a file");
  }

  @Test
  void aPipeAtOurNameIsRefused() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", preferred.toString()).start().waitFor()).isZero();
    expectOtherName("is a pipe, socket or device");
  }

  @Test
  void aDirectoryOpenToOthersIsRefused() throws IOException {
    Files.createDirectory(preferred);
    Files.setPosixFilePermissions(preferred, PosixFilePermissions.fromString("rwxr-xr-x"));
    expectOtherName("has mode 0755");
  }

  @Test
  void aDirectoryOfSomebodyElseIsRefused() throws IOException {
    assumeTrue(disk.userId() == 0, "root is needed: run the build as root (giving files away)");
    disk.createDirectory(preferred);
    Files.setAttribute(preferred, "unix:uid", STRANGER);
    expectOtherName("belongs to user " + STRANGER);
  }

  @Test
  void anExistingGoodDirectoryIsPreferredToANewOne() throws IOException {
    Files.writeString(preferred, "x");
    Path bad = base.resolve(name + "-0000000000000000");
    Files.writeString(bad, "x");
    Path good = base.resolve(name + "-00000000000000aa");
    disk.createDirectory(good);

    assertThat(Spools.open(disk, base).path().getParent()).isEqualTo(good);
    assertThat(Spools.open(disk, base).path().getParent()).isEqualTo(good);
  }

  @Test
  void allProcessesMeetInOnePlaceAlsoWhenTheirNameComesFree() throws IOException {
    Files.writeString(preferred, "x");
    Path first = Spools.open(disk, base).path();
    assertThat(SpoolDirectory.openExisting(disk, base, LogIdentity.of(disk, LOG)).path())
        .isEqualTo(first);
    Files.delete(preferred); // only who took the name can do that, at any moment

    assertThat(Spools.open(disk, base).path()).isEqualTo(first);
    assertThat(SpoolDirectory.openExisting(disk, base, LogIdentity.of(disk, LOG)).path())
        .isEqualTo(first);
    assertThat(preferred).doesNotExist();
  }

  @Test
  void lookingForAnExistingPlaceMakesNone() throws IOException {
    assertThat(SpoolDirectory.openExisting(disk, base, LogIdentity.of(disk, LOG))).isNull();
    disk.createDirectory(preferred);
    assertThat(SpoolDirectory.openExisting(disk, base, LogIdentity.of(disk, LOG))).isNull();

    assertThat(preferred).isEmptyDirectory();
    assertThat(
            SpoolDirectory.openExisting(disk, base.resolve("nothing"), LogIdentity.of(disk, LOG)))
        .isNull();
  }

  @Test
  void aPlantedDirectoryForTheLogIsRefused() throws IOException {
    disk.createDirectory(preferred);
    Path log = preferred.resolve(LogIdentity.of(disk, Path.of("app.log")).key());
    Files.createSymbolicLink(log, base);

    assertThatThrownBy(() -> Spools.open(disk, base))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(log.toString())
        .hasMessageContaining("is a symbolic link; required: a directory of user");
  }

  @Test
  void aMissingBaseIsNamed() {
    expectUnusable(base.resolve("nothing"), "does not exist");
  }

  @Test
  void aBaseThatIsAFileIsNamed() throws IOException {
    expectUnusable(Files.writeString(base.resolve("file"), "x"), "is a file");
  }

  @Test
  void aBaseBelowAFileIsNamed() throws IOException {
    Path file = Files.writeString(base.resolve("file"), "x");
    assertThatThrownBy(() -> Spools.open(disk, file.resolve("below")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.resolve("below").toString());
  }

  @Test
  void aBaseThatIsALinkIsNamed() throws IOException {
    expectUnusable(Files.createSymbolicLink(base.resolve("link"), base), "is a symbolic link");
  }

  @Test
  void aBaseThatIsAPipeIsNamed() throws Exception {
    Path pipe = base.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    expectUnusable(pipe, "is a pipe, socket or device");
  }

  @Test
  void aBaseOfSomebodyElseIsNamed() throws IOException {
    assumeTrue(disk.userId() == 0, "root is needed: run the build as root (giving files away)");
    Path foreign = Files.createDirectory(base.resolve("foreign"));
    Files.setAttribute(foreign, "unix:uid", STRANGER);

    expectUnusable(foreign, "belongs to user " + STRANGER);
    Files.setAttribute(foreign, "unix:mode", 01777); // as /tmp: nobody can take away our names

    assertThat(Spools.open(disk, foreign).path()).isDirectory();
  }

  @Test
  void aBaseWhereOthersCanExchangeOurDirectoryIsUsedAndWarnedOf() throws IOException {
    for (int mode : new int[] {0777, 01777, 0775}) {
      Path shared = Files.createDirectory(base.resolve("shared-" + mode));
      Files.setAttribute(shared, "unix:mode", mode);

      List<String> warnings = Spools.open(disk, shared).takeWarnings();

      if (mode == 0777) {
        assertThat(warnings)
            .containsExactly(
                "spool directory "
                    + shared
                    + " is world-writable and has no sticky bit: other users can remove or"
                    + " replace the spool; required: chmod +t");
      } else {
        assertThat(warnings).isEmpty();
      }
    }
  }

  @Test
  void aBaseThatCannotBeWrittenIsNamed() {
    FaultyDisk unwritable = new FaultyDisk(disk);
    unwritable.failFrom(
        FaultyDisk.Op.CREATE_DIRECTORY, 1, () -> new AccessDeniedException(preferred.toString()));

    assertThatThrownBy(() -> Spools.open(unwritable, base))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(base.toString())
        .hasMessageContaining("AccessDenied")
        .hasMessageContaining("required: an existing directory of user " + disk.userId());
  }

  private void expectOtherName(String fault) throws IOException {
    SpoolDirectory directory = Spools.open(disk, base);
    Path used = directory.path().getParent();

    assertThat(used.getFileName().toString()).matches(name + "-[0-9a-f]{16}");
    assertThat(disk.stat(used).mode()).isEqualTo(0700);
    assertThat(directory.takeWarnings())
        .containsExactly(
            "refused "
                + preferred
                + ": "
                + fault
                + "; required: a directory of user "
                + disk.userId()
                + " with mode 0700; using "
                + used);
    assertThat(Spools.open(disk, base).path().getParent()).isEqualTo(used);
  }

  private void expectUnusable(Path where, String fault) {
    assertThatThrownBy(() -> Spools.open(disk, where))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("spool directory " + where + " " + fault + "; required: ");
  }
}

package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A base directory that others can write to, and what they may have put there. */
@Tag("once")
class SpoolSecurityTest {
  private static final Path LOG = Path.of("app.log");

  private final Disk disk = new NioDisk();
  @TempDir Path base;
  private String name;
  private Path preferred;
  private Path target;

  @BeforeEach
  void setUp() throws IOException {
    name = "forebay-" + disk.userId();
    preferred = base.resolve(name);
    target = Files.createDirectory(base.resolve("target"));
  }

  private void make(String command, Path path) throws Exception {
    if (command.contains("-o ")) {
      assumeTrue(disk.userId() == 0, "root is needed: run the build as root (giving files away)");
    }
    Command.run(
        command.replace("TARGET", target.toString()).replace("PATH", path.toString()).split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "ln -s TARGET PATH, is a symbolic link",
    "ln -s TARGET/none PATH, is a symbolic link",
    "touch PATH, is a file",
    "mkfifo PATH, 'is a pipe, socket or device'",
    "install -d -m 700 -o 12345 PATH, belongs to user 12345"
  })
  void whatIsNoPrivateDirectoryAtOurNameIsRefused(String command, String fault) throws Exception {
    make(command, preferred);

    SpoolDirectory directory = Spools.open(disk, base);

    Path used = directory.path().getParent();
    assertThat(used.getFileName().toString()).matches(name + "-[0-9a-f]{16}");
    assertThat(disk.stat(used).mode()).isEqualTo(0700);
    assertThat(directory.takeWarnings())
        .containsExactly(
            "refused %s: %s; required: a directory of user %d with mode 0700; using %s"
                .formatted(preferred, fault, disk.userId(), used));
    assertThat(Spools.open(disk, base).path().getParent()).isEqualTo(used);
    assertThat(target).isEmptyDirectory();
  }

  /** As a base directory hands it on that has the bit, for its group. */
  @Test
  void aDirectoryOfOursMayHaveTheSetgidBit() throws Exception {
    make("install -d -m 2700 PATH", preferred);

    SpoolDirectory directory = Spools.open(disk, base);

    assertThat(disk.stat(preferred).mode()).isEqualTo(02700);
    assertThat(directory.path().getParent()).isEqualTo(preferred);
    assertThat(directory.takeWarnings()).isEmpty();
  }

  /** Kubernetes gives a volume with an fsGroup to a group each time a pod starts. */
  @ParameterizedTest
  @ValueSource(strings = {"2770", "755", "777"})
  void rightsToADirectoryOfOursAreTakenBack(String mode) throws Exception {
    make("install -d -m " + mode + " PATH", preferred);
    Path log = preferred.resolve(LogIdentity.of(disk, LOG).key());
    make("install -d -m " + mode + " PATH", log);

    SpoolDirectory directory = Spools.open(disk, base);

    assertThat(directory.path()).isEqualTo(log);
    assertThat(directory.takeWarnings()).isEmpty();
    assertThat(disk.stat(preferred).mode() & 0777).isEqualTo(0700);
    assertThat(disk.stat(log).mode() & 0777).isEqualTo(0700);
  }

  @Test
  void allProcessesMeetInOnePlaceAlsoWhenTheirNameComesFree() throws IOException {
    Files.writeString(preferred, "x");
    Files.writeString(base.resolve(name + "-0000000000000000"), "x");
    Path good = base.resolve(name + "-00000000000000aa");
    disk.createDirectory(good);
    Path first = Spools.open(disk, base).path();
    assertThat(first.getParent()).as("rather than a new one").isEqualTo(good);
    assertThat(existing(base).path()).isEqualTo(first);

    Files.delete(preferred); // only who took the name can do that, at any moment

    assertThat(Spools.open(disk, base).path()).isEqualTo(first);
    assertThat(existing(base).path()).isEqualTo(first);
    assertThat(preferred).doesNotExist();
  }

  private SpoolDirectory existing(Path where) throws IOException {
    return SpoolDirectory.openExisting(disk, where, LogIdentity.of(disk, LOG));
  }

  @Test
  void aPlantedDirectoryForTheLogIsRefused() throws IOException {
    disk.createDirectory(preferred);
    Path log = preferred.resolve(LogIdentity.of(disk, LOG).key());
    Files.createSymbolicLink(log, base);

    assertThatThrownBy(() -> Spools.open(disk, base))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(log.toString())
        .hasMessageContaining("is a symbolic link; required: a directory of user");
  }

  @ParameterizedTest
  @CsvSource({
    "true, does not exist",
    "touch PATH, is a file",
    "ln -s TARGET PATH, is a symbolic link",
    "mkfifo PATH, 'is a pipe, socket or device'",
    "install -d -m 700 -o 12345 PATH, belongs to user 12345"
  })
  void aBaseThatIsNoDirectoryOfOursIsNamed(String command, String fault) throws Exception {
    Path where = base.resolve("where");
    make(command, where);

    assertThatThrownBy(() -> Spools.open(disk, where))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("spool directory " + where + " " + fault + "; required: ");
    assertThatThrownBy(() -> Spools.open(disk, where.resolve("below")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(where.resolve("below").toString());
  }

  /** As /tmp: nobody can take away our names. */
  @Test
  void aBaseOfSomebodyElseIsUsedIfItIsSticky() throws Exception {
    make("install -d -m 1777 -o 12345 PATH", base.resolve("foreign"));

    assertThat(Spools.open(disk, base.resolve("foreign")).path()).isDirectory();
  }

  @Test
  void aBaseWhereOthersCanExchangeOurDirectoryIsUsedAndWarnedOf() throws IOException {
    for (int mode : new int[] {0777, 01777, 0775}) {
      Path shared = Files.createDirectory(base.resolve("shared-" + mode));
      Files.setAttribute(shared, "unix:mode", mode);
      String warning =
          "spool directory %s is world-writable and has no sticky bit: other users can remove or"
              + " replace the spool; required: chmod +t";

      assertThat(Spools.open(disk, shared).takeWarnings())
          .isEqualTo(mode == 0777 ? List.of(warning.formatted(shared)) : List.of());
    }
  }
}

package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Log and archives have the permissions that are configured, whatever the umask. */
class FilePermissionsTest extends LogRig {

  private static String of(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @ParameterizedTest
  @CsvSource({"rw-------, ''", "rw-r-----, .gz", "rw-rw-rw-, .gz"})
  void theLogAndItsArchivesHaveThem(String wanted, String ending) throws Exception {
    permissions = PosixFilePermissions.fromString(wanted);
    RollingLog log = started(rolling(BY_SIZE + ending));
    fillAndRoll(log, 2);
    awaitArchiving();
    stop(log);
    try (Stream<Path> all = Files.list(dir)) {
      assertThat(all).hasSize(3).allSatisfy(file -> assertThat(of(file)).isEqualTo(wanted));
    }
    assertThat(warnings).isEmpty();
  }

  /** Nobody has opened it before: not even with a umask that lets everybody. */
  @Test
  void aNewFileHasNoOthersBefore() throws Exception {
    permissions = PosixFilePermissions.fromString("rw-r--r--");
    disk.before(Op.PERMIT, 1, () -> assertThat(of(path())).isEqualTo("rw-------"));
    startAndStop(plain());
    assertThat(disk.hasFaultsAhead()).isFalse();
    assertThat(of(path())).isEqualTo("rw-r--r--");
  }

  @Test
  void aFileThatIsThereGetsThem() throws Exception {
    Files.writeString(path(), "before\n");
    permissions = PosixFilePermissions.fromString("rw-r-----");
    startAndStop(plain());
    assertThat(of(path())).isEqualTo("rw-r-----");
    assertThat(content()).isEqualTo("before\n");
  }

  /** Somebody else's, which was prepared for us. */
  @Test
  void whereTheyCannotBeSetTheLogIsWrittenAndOneWarningSaysSo() throws Exception {
    permissions = PosixFilePermissions.fromString("rw-r-----");
    disk.failFrom(Op.PERMIT, 1, () -> new FileSystemException(file(), null, "not permitted"));
    RollingLog log = started(rolling(BY_SIZE));
    fillAndRoll(log, 2);
    stop(log);
    assertThat(names()).hasSize(3);
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("app.log does not get its <filePermissions>", "not permitted");
  }

  @Test
  void whereNothingCanBeChangedArchivesArePackedAllTheSame() throws Exception {
    RollingLog log = started(rolling(BY_SIZE + ".gz"));
    disk.failFrom(Op.PERMIT, 1, () -> new FileSystemException(file(), null, "not permitted"));
    append(log, CONTENT);
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-rw-rw-"));
    roll(log);
    awaitArchiving();
    stop(log);
    assertThat(names()).hasSize(2).anyMatch(name -> name.endsWith(".gz"));
    assertThat(warnings).isEmpty();
  }

  @Test
  void anArchiveIsNotReadByMoreThanTheLogThatOthersHaveProtected() throws Exception {
    Files.createFile(path());
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-------"));
    RollingLog log = started(rolling(BY_SIZE + ".gz"));
    fillAndRoll(log, 1);
    awaitArchiving();
    stop(log);
    String archive =
        names().stream().filter(name -> name.endsWith(".gz")).findFirst().orElseThrow();
    assertThat(of(dir.resolve(archive))).isEqualTo("rw-------");
  }
}

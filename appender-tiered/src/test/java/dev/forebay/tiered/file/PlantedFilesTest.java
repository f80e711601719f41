package dev.forebay.tiered.file;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.tiered.checkpoint.Checkpoint;
import dev.forebay.tiered.checkpoint.Checkpoint.Anchor;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.checkpoint.Checkpoint.State;
import dev.forebay.tiered.checkpoint.CheckpointFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.ship.FsyncPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Spools, checkpoints and locks that somebody has put there, or changed. */
@Tag("once")
class PlantedFilesTest extends ShippingRig {

  private static final String CANARY = "line 1\nline 2\nline 3\n";
  private static final List<String> LINES = ShippingProcess.lines("p", 20);

  private Path logs;
  private Path canary;

  @BeforeEach
  void plantCanary() throws IOException {
    logs = Files.createDirectory(directory.resolve("log"));
    canary = Files.writeString(directory.resolve("canary"), CANARY);
  }

  /** A spool whose process is gone, and where its log's checkpoint would be. */
  private Path orphan() throws IOException {
    ShippingProcess dead = process();
    spool = dead.spoolOf(LINES);
    dead.die();
    return spool.path().resolveSibling("checkpoint");
  }

  private void save(Path file, Checkpoint checkpoint) throws IOException {
    try (CheckpointFile planted = new CheckpointFile(disk, file, false)) {
      planted.save(checkpoint);
    }
  }

  private Checkpoint checkpoint(State state, Position end, Anchor anchor) {
    String name = spool.path().toString();
    InstanceId dead = InstanceId.parse(name.substring(name.lastIndexOf('-') + 1));
    SpoolPosition next = SpoolPosition.beginOf(dead);
    return new Checkpoint(state, next, SpoolPosition.NONE, end, anchor);
  }

  private String keyOf(Path file) throws IOException {
    FileInfo info = Objects.requireNonNull(disk.stat(file));
    return info.key();
  }

  private List<String> ship(ShippingProcess process) throws IOException {
    process.queue.addDirectory(process.open(process.base));
    process.turns(12);
    process.stop();
    return process.log.lines().stream().filter(line -> line.length() > 1).toList();
  }

  /** By its number, or by a path, which a file key is not. */
  @ParameterizedTest
  @EnumSource(State.class)
  void aCheckpointThatNamesAnotherFileChangesNothingButTheLog(State state) throws IOException {
    Path beside = Files.writeString(logs.resolve("other.log"), CANARY);
    List<String> expected = new ArrayList<>();
    for (String key :
        List.of(keyOf(canary), keyOf(beside), canary.toString(), "../canary", "log/../../canary")) {
      save(orphan(), checkpoint(state, new Position(key, 7), Anchor.NONE));
      expected.addAll(LINES);
      assertThat(ship(process(FsyncPolicy.ALWAYS))).isEqualTo(expected);
    }

    assertThat(canary).hasContent(CANARY);
    assertThat(beside).hasContent(CANARY);
  }

  @Test
  void whatWasPutAsideIsNotKeptForEverByAProcessThatRunsForEver() throws IOException {
    ShippingProcess process = process(FsyncPolicy.ALWAYS); // its wall clock stands at the epoch
    Path log = process.open(process.base).path();
    process.queue.addDirectory(process.open(process.base));
    process.turns(2);
    Path kept = Files.writeString(log.resolve("bad-checkpoint"), "secret");
    process.turns(20);
    assertThat(kept).exists();
    Files.setLastModifiedTime(kept, FileTime.from(Duration.ofDays(-8).toSeconds(), SECONDS));
    process.turns(20);

    assertThat(kept).doesNotExist();
    process.stop();
  }

  @Test
  void anAnchorLongerThanTheLogIsNotRead() throws IOException {
    Path checkpoint = orphan();
    Files.writeString(logs.resolve("app.log"), CANARY);
    Position end = new Position(keyOf(logs.resolve("app.log")), 7);
    save(checkpoint, checkpoint(State.RECORDS, end, new Anchor(Integer.MAX_VALUE, 1)));
    assertThat(ship(process(FsyncPolicy.ALWAYS)))
        .containsAll(LINES)
        .contains("line 1", "line 2", "line 3");
  }

  private static void plant(String plant, Path canary, Path path) throws Exception {
    Files.deleteIfExists(path);
    String command = plant.replace("CANARY", canary.toString()).replace("PATH", path.toString());
    assertThat(new ProcessBuilder(command.split(" ")).start().waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "ln -s CANARY PATH, is a symbolic link",
    "ln -s nowhere PATH, is a symbolic link",
    "ln CANARY PATH, has 2 hard links",
    "mkfifo -m 600 PATH, is a pipe",
    "mkdir PATH, is a directory",
    "mkdir -p PATH/full, is a directory",
    "install -m 600 -o 65534 CANARY PATH, belongs to user 65534"
  })
  void aCheckpointThatIsNotOursIsNeitherReadNorWritten(String plant, String fault)
      throws Exception {
    assumeTrue(
        disk.userId() == 0 || !fault.startsWith("belongs"),
        "root is needed: run the build as root (giving files away)");
    Path checkpoint = orphan();
    save(canary, checkpoint(State.RECORDS, new Position("", 0), Anchor.NONE));
    byte[] content = Files.readAllBytes(canary);
    plant(plant, canary, checkpoint);
    boolean isKept = !fault.startsWith("is ") || plant.endsWith("full");
    ShippingProcess process = process(FsyncPolicy.ALWAYS);

    assertThat(ship(process)).containsExactlyElementsOf(LINES);
    assertThat(process.account.warnings)
        .singleElement()
        .asString()
        .startsWith("The checkpoint " + checkpoint + " " + fault)
        .contains("may be duplicated");
    assertThat(canary).hasBinaryContent(content);
    assertThat(checkpoint.resolveSibling("nowhere")).doesNotExist();
    if (isKept) {
      assertThat(checkpoint.resolveSibling("").toFile().list((in, name) -> name.startsWith("bad-")))
          .as("put aside, until it is 7 days old")
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ln -s CANARY PATH, is a symbolic link",
    "ln -s nowhere PATH, is a symbolic link",
    "ln CANARY PATH, has 2 hard links",
    "mkfifo -m 600 PATH, is a pipe",
    "mkdir -m 700 PATH, is a directory"
  })
  void nothingIsShippedPastALockThatIsNotOurs(String plant, String fault) throws Exception {
    Files.setAttribute(canary, "unix:mode", 0600);
    Path planted = orphan().resolveSibling("ship.lock");
    plant(plant, canary, planted);
    ShippingProcess process = process(FsyncPolicy.ALWAYS);
    process.queue.addDirectory(process.open(process.base));
    process.turns(60);

    assertThat(logs.resolve("app.log"))
        .satisfiesAnyOf(
            log -> assertThat(log).doesNotExist(), log -> assertThat(log).isEmptyFile());
    assertThat(process.account.failures)
        .isNotEmpty()
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .hasMessageStartingWith(planted + " " + fault)
                    .hasMessageContaining("required: a "));
    assertThat(process.account.warnings).hasSizeLessThanOrEqualTo(1);
    assertThat(canary).hasContent(CANARY);

    Files.delete(planted);
    process.turns(60);
    process.stop();
    assertThat(process.log.lines().stream().filter(line -> line.length() > 1))
        .containsExactlyElementsOf(LINES);
    assertThat(canary).hasContent(CANARY);
  }
}

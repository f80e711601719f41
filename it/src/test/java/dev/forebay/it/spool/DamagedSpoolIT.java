package dev.forebay.it.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Spools that were damaged between two starts. */
class DamagedSpoolIT {

  private static final int COUNT = 2000;

  @AutoClose private final Places places = Places.create();

  /** What may happen to a spool; {@code survivors} of its records are then still readable. */
  private enum Damage {
    ONE_BIT(COUNT - 10),
    CUT_IN_HALF(COUNT / 2),
    CUT_TO_NOTHING(COUNT / 2),
    ZEROS_IN_THE_MIDDLE(COUNT / 2),
    ALL_ZEROS(COUNT / 2),
    NOISE(COUNT / 2),
    HEADER_LOST(COUNT),
    SEGMENT_REMOVED(COUNT / 2),
    SEGMENT_IS_A_PIPE(COUNT / 2),
    SEGMENT_IS_A_LINK(COUNT / 2),
    SEGMENT_IS_A_DIRECTORY(COUNT / 2),
    STRANGE_FILES(COUNT),
    STRANGE_NAMES(COUNT),
    CHECKPOINT_IS_NOISE(COUNT);

    private final int survivors;

    Damage(int survivors) {
      this.survivors = survivors;
    }
  }

  @ParameterizedTest
  @EnumSource
  void isReportedAndTheRestIsShipped(Damage damage) throws Exception {
    String inner = places.xml() + Xml.FAST + "<segmentSize>64KB</segmentSize>" + Xml.MESSAGES;
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    try (Tiered first = Tiered.with(inner)) {
      first.log("p", 0, COUNT);
    }
    Files.delete(places.logDirectory());
    Path spool = SpoolPeek.spools(places.spool()).get(0);
    apply(damage, spool, firstSegment(spool));

    try (Tiered second = Tiered.with(inner)) {
      second.log("q", 0, 100).flush();
      assertThat(second.errors()).isEmpty();
      if (damage != Damage.CHECKPOINT_IS_NOISE) {
        Await.until("told", () -> !second.warnings().isEmpty());
      }
      if (damage.survivors < COUNT) {
        assertThat(second.warnings()).anyMatch(text -> text.contains("cannot be read"));
      }
    }
    Oracle.Verdict verdict =
        new Oracle()
            .producer("p", 0, COUNT)
            .producer("q", 100, 100)
            .dropped(COUNT - damage.survivors)
            .requireSound(places.lines());
    assertThat(verdict.lines().get("p")).isBetween((long) damage.survivors, (long) COUNT);
    assertThat(verdict.lines().get("q")).isEqualTo(100);
    try (Tiered third = Tiered.with(inner)) {
      third.log("r", 0, 1).flush();
      assertThat(third.errors()).isEmpty();
    }
    assertThat(places.lines()).hasSize((int) verdict.lineCount() + 1);
  }

  private static Path firstSegment(Path spool) throws IOException {
    try (Stream<Path> files = Files.list(spool)) {
      var segments = files.filter(file -> file.toString().endsWith(".seg")).sorted().toList();
      assertThat(segments).as("segments").hasSizeGreaterThan(2);
      return segments.get(0);
    }
  }

  private static void apply(Damage damage, Path spool, Path segment) throws Exception {
    byte[] bytes = Files.readAllBytes(segment);
    Path home = spool.resolveSibling("");
    switch (damage) {
      case ONE_BIT -> {
        bytes[bytes.length / 2] ^= 4;
        Files.write(segment, bytes);
      }
      case CUT_IN_HALF -> Files.write(segment, Arrays.copyOf(bytes, bytes.length / 2));
      case CUT_TO_NOTHING -> Files.write(segment, new byte[0]);
      case ZEROS_IN_THE_MIDDLE -> {
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 4096, (byte) 0);
        Files.write(segment, bytes);
      }
      case ALL_ZEROS -> Files.write(segment, new byte[bytes.length]);
      case NOISE -> {
        new Random(1).nextBytes(bytes);
        Files.write(segment, bytes);
      }
      case HEADER_LOST -> {
        Arrays.fill(bytes, 0, 64, (byte) 0xFF);
        Files.write(segment, bytes);
      }
      case SEGMENT_REMOVED -> Files.delete(segment);
      case SEGMENT_IS_A_PIPE -> {
        Files.delete(segment);
        Command.run("mkfifo", "-m", "600", segment.toString());
      }
      case SEGMENT_IS_A_LINK -> {
        Path elsewhere = Files.move(segment, home.resolveSibling("elsewhere"));
        Files.createSymbolicLink(segment, elsewhere);
      }
      case SEGMENT_IS_A_DIRECTORY -> {
        Files.delete(segment);
        Files.createDirectory(segment);
      }
      case STRANGE_FILES -> {
        Files.writeString(spool.resolve("notes.txt"), "x");
        Files.write(spool.resolve("zz.seg"), bytes);
        Files.createDirectory(spool.resolve("directory"));
        Command.run("mkfifo", spool.resolve("spare-pipe").toString());
      }
      case STRANGE_NAMES -> {
        Files.createDirectory(home.resolve("spool-"));
        Files.createDirectory(home.resolve("spool-x\n\u001b[31mred"));
        Files.writeString(home.resolve("spool-" + "0".repeat(16) + "-" + "f".repeat(32)), "x");
        Command.run(
            "mkfifo", home.resolve("done-" + "0".repeat(16) + "-" + "e".repeat(32)).toString());
      }
      case CHECKPOINT_IS_NOISE -> writeNoise(home.resolve("checkpoint"));
    }
  }

  private static void writeNoise(Path checkpoint) throws IOException {
    byte[] noise = new byte[1024];
    new Random(2).nextBytes(noise);
    Files.deleteIfExists(checkpoint);
    Files.createFile(
        checkpoint,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(checkpoint, noise, StandardOpenOption.TRUNCATE_EXISTING);
  }
}

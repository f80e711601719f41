package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.ProcessClaim;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.ShipperNote;
import dev.forebay.tiered.jvm.LineSpool;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.Slots;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the verbs say of that which a dead process has left. */
class LeftTest {

  private static final int SEGMENT_BYTES = 64 * 1024;
  private static final int RECORDS = 10_000;
  private static final int ZEROED_BYTES = 2000;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final NioDisk disk = new NioDisk();
  @TempDir private Path base;
  private Path log;
  private SpoolDirectory directory;

  @BeforeEach
  void open() throws IOException {
    log = base.toRealPath().resolve("app.log");
    directory = SpoolDirectory.open(disk, base, LogIdentity.of(disk, log));
  }

  private int run(String... arguments) {
    Stream<String> spools = Stream.of("--spool-directory", base.toString());
    String[] all = Stream.concat(Stream.of(arguments), spools).toArray(String[]::new);
    return Main.run(all, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  /** A loop that has overwritten its oldest records; its segments. */
  private List<Path> loop() throws IOException {
    SpoolLimits limits = new SpoolLimits(4L * SEGMENT_BYTES, SEGMENT_BYTES);
    Loop loop =
        directory.createLoop(limits, Long.MAX_VALUE / 2, records -> {}, () -> 1000, 0, true);
    byte[] line = "a line of a flight recorder\n".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < RECORDS; i++) {
      loop.append(line, 0, line.length, 2, true);
    }
    loop.flush();
    loop.close();
    try (Stream<Path> files = Files.list(loop.path())) {
      return files.filter(file -> file.toString().endsWith(".seg")).sorted().toList();
    }
  }

  private Path spool() throws IOException {
    return spool(directory);
  }

  private static Path spool(SpoolDirectory directory) throws IOException {
    Spool spool = directory.createSpool(new SpoolLimits(1 << 20, SEGMENT_BYTES));
    byte[] line = "a line\n".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < RECORDS / 10; i++) {
      spool.writer().append(line, 0, line.length, 2);
    }
    spool.writer().flush();
    spool.close();
    return spool.path();
  }

  @Test
  void theLogItselfIsMeantRatherThanOneOfAnotherContainerWithItsPath() throws IOException {
    Path own = spool();
    List<Path> others = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Path elsewhere = log.resolveSibling("other" + i);
      Path other = spool(SpoolDirectory.open(disk, base, LogIdentity.of(disk, elsewhere)));
      Path note = other.resolve("log");
      Files.writeString(note, Files.readString(note).replace(elsewhere.toString(), log.toString()));
      others.add(other);
    }
    assertThat(run("recover", "--discard", log.toString())).isEqualTo(Main.OK);
    assertThat(out.toString()).isEqualTo("1,000 records discarded\n");
    assertThat(own).doesNotExist();
    assertThat(others).allSatisfy(other -> assertThat(other).exists());
  }

  @Test
  void aStreamIsMeantByTheNameThatIsListed() throws IOException {
    Path name = Path.of("System.out of [STDOUT] of app.jar in /srv");
    Slots slots = new Slots(disk, base, name.toString(), "app", false, false, false);
    new LogLocator(disk, name, slots).run();
    SpoolDirectory claimed = Objects.requireNonNull(slots.claimed());
    Path left = spool(claimed);
    Objects.requireNonNull(claimed.takeClaim()).close();
    assertThat(run("recover", "--discard", name.toString())).isEqualTo(Main.OK);
    assertThat(out.toString()).isEqualTo("1,000 records discarded\n");
    assertThat(left).doesNotExist();
  }

  @Test
  void recordsForATopicAreNotMovedIntoAFile() throws IOException {
    Path name = Path.of("topic app-logs of app.jar in /srv");
    Slots slots = new Slots(disk, base, name.toString(), "app-logs", true, false, false);
    new LogLocator(disk, name, slots).run();
    SpoolDirectory claimed = Objects.requireNonNull(slots.claimed());
    Path left = spool(claimed);
    Objects.requireNonNull(claimed.takeClaim()).close();
    Path file = base.resolve("recovered.log");
    assertThat(run("recover", "--to", file.toString(), name.toString())).isEqualTo(Main.REFUSED);
    assertThat(err.toString())
        .contains(
            claimed.path() + " holds records for ",
            "topic app-logs",
            "not for a file; its next start ships them, and cat --unshipped prints them");
    assertThat(file).doesNotExist();
    assertThat(left).exists();
  }

  @Test
  void whatCannotBeDiscardedIsAFinding() throws Exception {
    spool();
    Path lock = directory.path().resolve("ship.lock");
    try (var claim = ProcessClaim.tryTake(disk, lock)) { // of an appender that just begins
      assertThat(claim).isNotNull();
      assertThat(run("recover", "--discard", log.toString())).isEqualTo(Main.FINDINGS);
    }
    assertThat(out.toString()).isEqualTo("0 records discarded, 1,000 left\n");
  }

  @Test
  void anAppenderWhoseSpoolIsElsewhereIsNamedByTheDoctor() throws IOException {
    try (Spool spool = directory.createSpool(new SpoolLimits(1 << 20, SEGMENT_BYTES))) {
      Path other = Files.createDirectory(base.resolve("other"));
      String pid = Long.toString(ProcessHandle.current().pid());
      String[] doctor = {"doctor", "--spool-directory", other.toString(), pid};
      Main.run(doctor, new PrintWriter(out, true), new PrintWriter(err, true));
      assertThat(err.toString())
          .contains("did not look at the account of " + spool.path())
          .contains("--spool-directory");
    }
  }

  /** A start that took over what dead ones left holds the locks of all. */
  @Test
  void whatAProcessTookOverIsNotTakenForItsOwn() throws IOException {
    SpoolLimits limits = new SpoolLimits(1 << 20, SEGMENT_BYTES);
    String pid = Long.toString(ProcessHandle.current().pid());
    try (Spool left = directory.createSpool(limits);
        Spool own = directory.createSpool(limits)) {
      assertThat(List.of(left.path(), own.path())).isSorted();
      assertThat(run("ls")).isEqualTo(Main.OK);
      assertThat(out.toString().lines().skip(1))
          .satisfiesExactly(
              row -> assertThat(row).contains("left, " + pid + " has it"),
              row -> assertThat(row).contains(" " + pid + " "));
      Main.run(
          new String[] {"doctor", "--spool-directory", base.toString(), pid},
          new PrintWriter(out, true),
          new PrintWriter(err, true));
      assertThat(err.toString()).containsOnlyOnce("the account of the appender for " + log);
    }
  }

  @Test
  void ofAMisspeltLogTheNearestIsNamed() throws IOException {
    spool();
    spool(SpoolDirectory.open(disk, base, LogIdentity.of(disk, log.resolveSibling("gc.log"))));
    assertThat(run("account", log.resolveSibling("ap/app.log").toString()))
        .isEqualTo(Main.NOT_FOUND);
    assertThat(err.toString()).contains("/ap/app.log; the nearest log with one is " + log + ";");
  }

  @Test
  void noNameIsNotThatOfALogWithoutOne() throws IOException {
    Path twoLines = log.resolveSibling("a\nb.log"); // which no note names
    spool(SpoolDirectory.open(disk, base, LogIdentity.of(disk, twoLines)));
    assertThat(run("account", "")).isEqualTo(Main.NOT_FOUND);
    assertThat(err.toString()).contains("there is none of any log;");
  }

  @Test
  void aSpoolOfWhichNothingWaitsIsCalledShipped() throws IOException {
    directory.createSpool(new SpoolLimits(1 << 20, SEGMENT_BYTES)).close();
    assertThat(run("ls")).isEqualTo(Main.OK);
    assertThat(out.toString()).containsPattern("spool +0 +0 .* dead \\d+ s, shipped +" + log);
  }

  /** As long as the lock is held; a killed shipper leaves its note. */
  @Test
  void whoShipsForOthersIsListed() throws Exception {
    spool();
    new ShipperNote(1, 1_700_000_000_000L, "").write(disk, directory.path());
    assertThat(run("ls")).isEqualTo(Main.OK);
    assertThat(out.toString()).doesNotContain("\nship ");
    try (DiskFile lock =
        disk.open(directory.path().resolve("ship.lock"), Disk.Mode.CREATE_PRIVATE)) {
      assertThat(lock.tryLock()).isTrue();
      String pid = Long.toString(ProcessHandle.current().pid());
      assertThat(run("ls")).isEqualTo(Main.OK);
      assertThat(out.toString()).containsPattern("\nship( +-){4} " + pid + " .* " + log + "\n");
      new ShipperNote(1, 1_700_000_000_000L, "cannot write: full").write(disk, directory.path());
      assertThat(run("ls")).isEqualTo(Main.OK);
      assertThat(out.toString()).contains(log + ": cannot write: full\n");
      assertThat(run("ls", "--json")).isEqualTo(Main.OK);
      assertThat(out.toString())
          .contains("\"since\":\"2023-11-14T22:13:20Z\",\"fault\":\"cannot write: full\"}");
      assertThat(run("stat", log.toString())).isEqualTo(Main.OK);
      assertThat(out.toString()).containsPattern("shipperFault +cannot write: full\n");
    }
  }

  @Test
  void whatAnotherUserHasOfALogIsNotCalledNothing() throws IOException {
    assumeTrue(disk.userId() == 0, "no root");
    spool();
    Path users = Files.move(directory.path().getParent(), base.resolve("forebay-4712"));
    Files.setAttribute(users, "unix:uid", 4712);
    Files.setAttribute(users, "unix:gid", 4713);
    assertThat(run("stat", log.toString())).isEqualTo(Main.REFUSED);
    assertThat(err.toString())
        .contains(log + " belongs to user 4712", "setpriv --reuid 4712 --regid 4713 ");
    assertThat(run("stat", log + ".other")).isEqualTo(Main.NOT_FOUND);
    assertThat(err.toString()).contains("[" + users + "] of other users was not looked into");
  }

  @Test
  void whatADeadJvmLeftIsDiscardedAndThatOfALiveOneIsNot() throws IOException {
    Path lines;
    try (LineSpool live = LineSpool.create(directory, 1)) {
      lines = live.path();
      Files.writeString(lines.resolve(LineSpool.LOG), "[1.2s][info][gc] last\n");
      assertThat(run("recover", "--discard", log.toString())).isEqualTo(Main.REFUSED);
      assertThat(lines).exists();
    }
    assertThat(run("recover", "--discard", log.toString())).isEqualTo(Main.OK);
    assertThat(lines).doesNotExist();
  }

  @Test
  void aLoopIsVerifiedToo() throws IOException {
    Path segment = loop().get(1);
    assertThat(run("verify")).isEqualTo(Main.OK);
    assertThat(out.toString()).contains("flight-", " records, all whole");
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
      file.seek(SEGMENT_BYTES / 2);
      file.write(new byte[ZEROED_BYTES]);
    }
    assertThat(run("verify")).isEqualTo(Main.FINDINGS);
    assertThat(out.toString()).contains("flight-", " damaged\n", segment.toString());
  }

  @Test
  void ofEachKindTheLogIsNamedAndNoRowIsLong() throws IOException {
    loop();
    LineSpool.create(directory, 1).close();
    spool();

    assertThat(run("ls")).isEqualTo(Main.OK);
    String listed = out.toString().replaceAll(" +", " ");
    assertThat(listed)
        .contains(
            "KIND RECORDS UNCOMMITTED OLDEST BYTES PROCESS LOG\n", "spool 1,000 1,000 ", "loop ")
        .containsPattern("jvm - - - 0 B dead \\d+ s " + log + "\n");
    assertThat(out.toString().lines())
        .allSatisfy(row -> assertThat(row).hasSizeLessThan(log.toString().length() + 75));

    assertThat(run("stat", log.toString())).isEqualTo(Main.OK);
    assertThat(out.toString())
        .contains("segments     1\n", "uncommitted  1,000\n", "committed    0\n")
        .contains("jvm      " + directory.path());
    assertThat(run("stat", "--json", log.toString())).isEqualTo(Main.OK);
    assertThat(out.toString()).contains("\"jvms\":[{\"log\":\"" + log);
  }
}

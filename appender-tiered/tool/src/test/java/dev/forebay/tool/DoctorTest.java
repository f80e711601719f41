package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.MountTable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor reads of a JVM in a directory like that of a process, and what it advises. */
class DoctorTest {
  private static final String ROOT = "27 1 8:1 / / rw - ext4 /dev/sda rw\n";
  private static final MountTable MOUNTS =
      new MountTable(
          ROOT
              + "28 27 0:5 / /dev/shm rw,nosuid shared:5 - tmpfs tmpfs rw,size=1048576k\n"
              + "29 27 0:6 / /run rw shared:6 - tmpfs tmpfs rw\n");
  private static final Jvm SOUND =
      new Jvm(
          command("-Xmx1g", "-Xlog:gc:stdout", "-Xlog:gc*:file=/dev/shm/gc.log:time"),
          Path.of("/srv/app"),
          "/dev/shm/hsperfdata_app/1",
          MOUNTS,
          1L << 30,
          false);

  private static Jvm.Command command(String... options) {
    return new Jvm.Command(List.of(options), List.of(), "");
  }

  private static List<String> ids(Jvm facts) {
    return new Doctor().check(facts).stream().map(Doctor.Advice::id).toList();
  }

  private static Jvm with(List<String> options) {
    Jvm.Command command = new Jvm.Command(options, List.of(), "");
    return new Jvm(command, SOUND.directory(), SOUND.perfData(), SOUND.mounts(), 1L << 30, false);
  }

  @Test
  void whatALimitRefusesIsNotLost() {
    List<String> account =
        List.of("offered 112", "delivered 100", "dropped 12", "dropped.LIMITED.INFO 9");
    assertThat(Doctor.lost(account)).isEqualTo(3);
    assertThat(Doctor.lost(List.of("offered 1", "dropped 0", "inFlight 1"))).isZero();
    assertThat(
            Doctor.lost(List.of("dropped 5", "dropped.LIMITED.INFO 3", "dropped.LIMITED.WARN 2")))
        .isZero();
  }

  @Test
  void theCauseOfDropsIsNamedBeforeThem() {
    String cause = "the log a.log, since 2026-11-28T20:53:39Z: No space left on device";
    assertThat(new Doctor().judge("a.log", List.of("dropped 3", "degraded " + cause)))
        .satisfiesExactly(
            first -> assertThat(first.id() + first.fault()).isEqualTo("log-not-writable" + cause),
            then -> assertThat(then.id() + then.instead()).startsWith("events-droppedsee log-not"));
    assertThat(new Doctor().judge("a.log", List.of("dropped 3")))
        .singleElement()
        .satisfies(one -> assertThat(one.instead()).contains("dropped between", "same number"));
    assertThat(new Doctor().judge("a.log", List.of("dropped 0", "degraded the encoder fails")))
        .singleElement()
        .satisfies(advice -> assertThat(advice.id()).isEqualTo("degraded"));
    assertThat(new Doctor().judge("a.log", List.of("dropped 0", "lastError one"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-Xloggc:/var/log/gc.log, -Xloggc:/dev/shm/app/gc.log",
    "-Xloggc:gc.log, -Xloggc:/dev/shm/app/gc.log",
    "-Xlog:gc*:file=/var/log/gc-%p.log:time:filecount=5,"
        + " -Xlog:gc*:file=/dev/shm/app/gc-%p.log:time:filecount=5",
    "-Xlog:safepoint:logs/safepoint.log, -Xlog:safepoint:/dev/shm/app/safepoint.log",
    "-Xlog:gc:gc, -Xlog:gc:/dev/shm/app/gc",
    "-Xlog::all.log, -Xlog::/dev/shm/app/all.log",
    "-Xlog:gc:file=\"/var/log/a:b c.log\":time, -Xlog:gc:file=\"/dev/shm/app/a:b c.log\":time"
  })
  void aLogOfTheJvmOnADiskIsMoved(String option, String instead) {
    assertThat(new Doctor().check(with(List.of(option))))
        .singleElement()
        .satisfies(advice -> assertThat(advice.id()).isEqualTo("gc-log-on-disk"))
        .satisfies(advice -> assertThat(advice.where()).isEqualTo(option))
        .satisfies(advice -> assertThat(advice.instead()).isEqualTo(instead));
  }

  @Test
  void logsThatAreNoFilesAreFine() {
    String fine =
        "-Xlog -Xlog:gc -Xlog:gc::uptime -Xlog:gc*:stderr:time -Xlog:gc:#1"
            + " -Xlog:async -Xlog:async:stall -Xlog:async:drop";
    assertThat(ids(with(List.of(fine.split(" "))))).isEmpty();
    assertThat(ids(with(List.of("-Xlog:gc:/var/log/gc.log", "-Xlog:disable", "-Xlog:gc"))))
        .isEmpty();
    assertThat(new Doctor().check(SOUND)).isEmpty();
  }

  @Test
  void linesThatABusyDiskMakesTheJvmDropAreNamed() {
    String log = "-Xlog:gc:/var/log/gc.log";
    for (String how : List.of("-Xlog:async", "-Xlog:async:drop")) {
      assertThat(new Doctor().check(with(List.of(log, how))))
          .singleElement()
          .extracting(Doctor.Advice::fault)
          .asString()
          .startsWith("a busy disk makes the JVM drop lines of /var/log/gc.log");
    }
    assertThat(new Doctor().check(with(List.of("-Xlog:async:stall", log))))
        .singleElement()
        .extracting(Doctor.Advice::fault)
        .asString()
        .startsWith("the JVM writes /var/log/gc.log at safepoints");
  }

  @Test
  void performanceDataOnADiskIsNamed() {
    Jvm facts =
        new Jvm(command(), SOUND.directory(), "/tmp/hsperfdata_app/1", SOUND.mounts(), 0, false);
    assertThat(ids(facts)).containsExactly("hsperfdata-on-disk");
  }

  @Test
  void memoryForSpoolsMustBeThereAndLargeEnough() {
    MountTable none = new MountTable(ROOT);
    assertThat(ids(new Jvm(command(), Path.of("/"), "", none, 1L << 40, false)))
        .containsExactly("no-dev-shm");
    MountTable mounts = SOUND.mounts();
    assertThat(ids(new Jvm(command(), Path.of("/"), "", mounts, 64L << 20, true)))
        .containsExactly("small-dev-shm", "remove-ipc");
    assertThat(ids(new Jvm(command(), Path.of("/"), "", mounts, 256L << 20, false))).isEmpty();
  }

  @TempDir private Path proc;

  private int userId;

  @BeforeEach
  void beAJvm() throws IOException {
    userId = (Integer) Files.getAttribute(proc, "unix:uid");
    Files.writeString(proc.resolve("maps"), "7f0a r--p 0 fe:00 12 /usr/lib/server/libjvm.so\n");
    Files.writeString(proc.resolve("cmdline"), "java\0-Xlog:gc:gc.log\0Main\0-Xlog:gc:no.log\0");
    Files.writeString(proc.resolve("environ"), "JAVA_TOOL_OPTIONS=-Xa\0");
    Files.writeString(proc.resolve("mountinfo"), "27 1 8:1 / / rw - ext4 /dev/sda rw\n");
    Files.createSymbolicLink(proc.resolve("cwd"), Path.of("/srv"));
  }

  @Test
  void itsOptionsAreJudged() throws IOException {
    Jvm jvm = Jvm.of(proc, userId);
    assertThat(jvm.command().options()).containsExactly("-Xa", "-Xlog:gc:gc.log");
    assertThat(jvm.command().unseen()).isEmpty();
    assertThat(new Doctor().check(jvm))
        .extracting(Doctor.Advice::id)
        .containsExactly("gc-log-on-disk", "no-dev-shm");
  }

  @Test
  void noMoreIsReadThanTheLimit() throws IOException {
    try (RandomAccessFile endless = new RandomAccessFile(proc.resolve("environ").toFile(), "rw")) {
      endless.setLength(1L << 40);
    }
    assertThatThrownBy(() -> Jvm.of(proc, userId)).hasMessageContaining("read 16 MB of it");
  }

  @Test
  void anotherProgramIsNoJvm() throws IOException {
    Files.writeString(proc.resolve("maps"), "");
    assertThatThrownBy(() -> Jvm.of(proc, userId)).hasMessageContaining("is no JVM but java");
  }

  private static Jvm.Command told(String environment, String... words) {
    return Jvm.Command.of(List.of(words), environment);
  }

  @Test
  void optionsComeFromTheCommandLineAndTheEnvironment() {
    assertThat(
            told(
                    "HOME=/root\0_JAVA_OPTIONS=-Xd\0JAVA_TOOL_OPTIONS= -Xb  \"-Xc d\"\0",
                    "java",
                    "-Xlog:gc:a",
                    "Main")
                .options())
        .containsExactly("-Xb", "-Xc d", "-Xlog:gc:a", "-Xd");
  }

  @Test
  void optionsInOtherPlacesAreNamed() {
    assertThat(told("", "java", "@a", "-XX:Flags=b", "-XX:VMOptionsFile=c", "Main", "@d").unseen())
        .containsExactly(
            "the JVM's options in the file a",
            "the JVM's options in the file b",
            "the JVM's options in the file c");
    assertThat(told("", "/usr/bin/jsvc", "-Xlog:gc:a").options()).isEmpty();
    assertThat(told("", "/usr/bin/jsvc").unseen())
        .containsExactly("the JVM's options, since it was started by /usr/bin/jsvc");
    assertThat(told("", "").unseen()).hasSize(1);
  }

  @Test
  void thePerformanceDataAreAMappedFile() {
    assertThat(
            Jvm.perfData(
                """
                7f0a-7f0b r--p 00000000 fe:00 12 /usr/lib/libjvm.so
                7f0c-7f0d rw-s 00000000 fe:00 1234                     /tmp/hsperfdata_app/4711
                """))
        .isEqualTo("/tmp/hsperfdata_app/4711");
    assertThat(Jvm.perfData("7f0a-7f0b r--p 00000000 fe:00 12 /usr/lib/libjvm.so\n")).isEmpty();
  }

  @Test
  void systemdRemovesUnlessTheLastSettingSaysNo() {
    assertThat(Jvm.removesIpc("")).isTrue();
    assertThat(Jvm.removesIpc("#RemoveIPC=no\n")).isTrue();
    assertThat(Jvm.removesIpc("RemoveIPC = no\n")).isFalse();
    assertThat(Jvm.removesIpc("RemoveIPC=no\nRemoveIPC=yes\n")).isTrue();
  }
}

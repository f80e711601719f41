package dev.forebay.jvm;

import static dev.forebay.jvm.JvmRig.LONG;
import static dev.forebay.jvm.JvmRig.collect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.VmLogCommand;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An output that is there before the appender, as the command line puts one. */
@Tag("once")
class JvmTakeUpTest {

  private static final FileTime JUST_BEFORE_THIS_JVM =
      FileTime.fromMillis(ManagementFactory.getRuntimeMXBean().getStartTime() - 1000);

  @AutoClose private final JvmRig rig = JvmRig.create();
  private final Path written = rig.shm.resolve("theirs.log");

  private void open(Path file, int fileCount) {
    assertThat(
            VmLogCommand.run(
                "output=file=" + file,
                "output_options=filecount=%d,filesize=16K".formatted(fileCount),
                "what=" + JvmRig.WHAT,
                "decorators=" + JvmRig.DECORATORS))
        .isEmpty();
  }

  private static void close(Path file) {
    if (VmLogCommand.run("list").contains("file=" + file + " ")) {
      assertThat(VmLogCommand.run("output=file=" + file, "what=all=off")).isEmpty();
    }
  }

  @AfterEach
  void end() {
    close(written);
  }

  private JvmLogAppender started() {
    return rig.started(rig.withoutSelection());
  }

  @Test
  void theLogBeginsWithTheFirstLineOfTheOutput() throws Exception {
    UlTruth truth = rig.truth();
    open(written, 7);
    collect(10); // some files
    JvmLogAppender appender = started();
    for (int i = 0; i < 40; i++) {
      collect(1);
      assertThat(appender.flush(LONG)).isTrue();
    }
    close(written);
    appender.stop();
    assertThat(sorted(rig.text())).isEqualTo(sorted(truth.end())).isNotEmpty();
    assertThat(rig.problems()).isEmpty();
    assertThat(rig.jvmDirectories()).isEmpty();
  }

  /** Has the JVM begin another file, with lines before it and after it. */
  private static void rotate() {
    collect(1);
    assertThat(VmLogCommand.run("rotate")).isEmpty();
    collect(1);
  }

  @Test
  void itStaysWhenTheAppenderStopsAndTheNextOneContinues() throws Exception {
    UlTruth truth = rig.truth();
    open(written, 7);
    rotate();
    started().stop();
    assertThat(VmLogCommand.run("list")).contains("file=" + written + " ");
    rotate(); // what was read to its middle is an archive now
    rotate();
    started().stop();
    collect(1);
    JvmLogAppender last = started();
    close(written);
    last.stop();
    assertThat(sorted(rig.text())).isEqualTo(sorted(truth.end())).isNotEmpty();
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void whatAnEarlierProcessHasLeftThereIsNotOurs() throws Exception {
    for (int number : List.of(0, 1)) {
      Path left = Path.of(written + "." + number);
      Files.writeString(left, "[info][gc] of another process\n");
      Files.setLastModifiedTime(left, JUST_BEFORE_THIS_JVM);
    }
    UlTruth truth = rig.truth();
    open(written, 7);
    rotate(); // to the number after those
    rotate();
    JvmLogAppender appender = started();
    close(written);
    appender.stop();
    assertThat(sorted(rig.text())).isEqualTo(sorted(truth.end())).isNotEmpty();
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void withSeveralNoneIsTakenUp() throws Exception {
    Path other = rig.shm.resolve("other.log");
    open(written, 3);
    open(other, 3);
    JvmLogAppender appender = started();
    collect(1);
    appender.stop();
    close(other);
    assertThat(rig.problems())
        .singleElement()
        .asString()
        .contains("2 outputs on tmpfs", written.toString(), other.toString(), "write", "<what>");
    assertThat(rig.text()).contains("Pause Full");
  }

  /** Two threads write to one output after the other: there their lines may change places. */
  private static List<String> sorted(String text) {
    return text.lines().sorted().toList();
  }
}

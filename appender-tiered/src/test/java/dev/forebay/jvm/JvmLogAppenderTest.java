package dev.forebay.jvm;

import static dev.forebay.jvm.JvmRig.LONG;
import static dev.forebay.jvm.JvmRig.collect;
import static dev.forebay.tiered.Joran.requireLaw;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.FileTree;
import dev.forebay.host.VmLogCommand;
import dev.forebay.observe.LedgerSnapshot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The log of this very JVM, beside what the JVM really wrote. */
@Tag("once")
class JvmLogAppenderTest {

  @AutoClose private final JvmRig rig = JvmRig.create();

  @Test
  void theLogIsByteForByteWhatTheJvmWrote() throws Exception {
    UlTruth truth = rig.truth();
    JvmLogAppender appender = rig.started(rig.appender());
    collect(20);
    String before = truth.text();
    assertThat(appender.flush(LONG)).isTrue();
    requireLaw(appender.snapshot());
    assertThat(rig.text()).contains(before.substring(before.lastIndexOf('[', before.length() - 2)));
    collect(5);
    appender.stop();
    // Two threads write to one output after the other: there their lines may change places.
    assertThat(truth.end().lines().toList()).containsAll(rig.text().lines().toList());
    assertThat(rig.pauses()).isPositive().isEqualTo(JvmRig.pauses(truth.text()));
    LedgerSnapshot account = appender.snapshot();
    requireLaw(account);
    assertThat(account.inFlight()).isZero();
    assertThat(account.delivered()).isEqualTo(rig.wholeText().lines().count());
    assertThat(VmLogCommand.run("list")).doesNotContain(rig.shm.toString());
    assertThat(rig.jvmDirectories()).isEmpty();
    assertThat(rig.problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "it's", "a:b,c", "gc*=info"})
  void theSpoolDirectoryMayHaveAnyName(String name) throws Exception {
    JvmLogAppender appender = rig.appender();
    appender.setSpoolDirectory(Files.createDirectory(rig.shm.resolve(name)).toString());
    UlTruth truth = rig.truth();
    rig.started(appender);
    collect(1);
    appender.stop();
    assertThat(rig.pauses()).isPositive().isEqualTo(JvmRig.pauses(truth.end()));
    assertThat(VmLogCommand.run("list")).doesNotContain(rig.shm.toString());
    assertThat(rig.problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "what       | gc=dbug       | <what> \"gc=dbug\" .* Invalid level 'dbug'",
        "what       | nonsense=info | <what> \"nonsense=info\" .* Invalid tag 'nonsense'",
        "what       | gc:file=/x    | <what> is \"gc:file=/x\": must be one word",
        "decorators | colour        | <decorators> \"colour\": Invalid decorator 'colour'",
        "decorators | level, tags   | <decorators> is \"level, tags\": must be one word",
        "spool      | /tmp          | <spoolDirectory> .* is not on tmpfs",
        "spool      | a\"b          | <spoolDirectory> .*a\"b/.* has a quote in its name",
      })
  void aMistakeIsAnErrorThatNamesElementAndRemedy(String element, String value, String expected)
      throws Exception {
    JvmLogAppender appender = rig.appender();
    switch (element) {
      case "what" -> appender.setWhat(value);
      case "decorators" -> appender.setDecorators(value);
      case "spool" -> appender.setSpoolDirectory(place(value).toString());
      default -> throw new AssertionError(element);
    }
    appender.start();
    awaitProblem(expected + ".*write ");
    assertThat(appender.isOpen()).isFalse();
    appender.stop();
    assertThat(VmLogCommand.run("list")).doesNotContain(rig.shm.toString());
    assertThat(rig.jvmDirectories()).isEmpty();
  }

  private Path place(String name) throws IOException {
    return name.equals("/tmp") ? rig.directory : Files.createDirectory(rig.shm.resolve(name));
  }

  @Test
  void aSecondAppenderWaitsUntilTheFirstStops() throws Exception {
    JvmLogAppender first = rig.started(rig.appender());
    JvmLogAppender second = rig.appender();
    second.setName("SECOND");
    second.setFile(rig.directory.resolve("second.log").toString());
    second.start();
    awaitProblem("the JVM's log is taken by appender \\[JVM\\]");
    assertThat(second.isOpen()).isFalse();
    first.stop();
    Await.until("it takes over", second::isOpen);
    collect(1);
    second.stop();
    assertThat(Files.readString(rig.directory.resolve("second.log"))).contains("Pause Full");
  }

  private void awaitProblem(String regex) {
    Pattern expected = Pattern.compile(regex, Pattern.DOTALL);
    Await.until(regex, () -> rig.problems().stream().anyMatch(expected.asPredicate()));
  }

  @Test
  void aDirectoryThatOthersRemoveIsMadeAgain() throws Exception {
    JvmLogAppender appender = rig.started(rig.appender());
    collect(2);
    assertThat(appender.flush(LONG)).isTrue();
    Path removed = rig.jvmDirectories().get(0);
    FileTree.delete(removed.getParent().getParent());
    Await.until(
        "there is another one",
        () -> !rig.jvmDirectories().isEmpty() && !rig.jvmDirectories().contains(removed));
    Await.until("the JVM writes", () -> VmLogCommand.run("list").contains("/jvm.log "));
    long before = rig.pauses();
    collect(2);
    appender.stop();
    assertThat(rig.pauses()).isGreaterThan(before);
    requireLaw(appender.snapshot());
    assertThat(rig.problems()).anyMatch(text -> text.contains("was removed: what was not read"));
    assertThat(VmLogCommand.run("list")).doesNotContain(rig.shm.toString());
  }

  /** It ends every output, the truth's too. */
  @Test
  void anOutputThatOthersDisableIsOpenedAgainAndTheLogSaysSo() throws Exception {
    UlTruth truth = rig.truth();
    JvmLogAppender appender = rig.started(rig.appender());
    collect(5);
    assertThat(VmLogCommand.run("disable")).isEmpty();
    String before = truth.text();
    truth = rig.truth();
    Await.until("it is opened again", () -> VmLogCommand.run("list").contains("/jvm.log "));
    collect(5);
    appender.stop();
    String[] parts = rig.wholeText().split(JvmRig.BEGIN, -1);
    assertThat(parts).hasSize(3).startsWith("");
    assertThat(before).contains(parts[1]);
    assertThat(truth.end()).contains(parts[2]);
    assertThat(JvmRig.pauses(parts[1])).isPositive().isEqualTo(JvmRig.pauses(before));
    assertThat(JvmRig.pauses(parts[2])).isPositive().isEqualTo(JvmRig.pauses(truth.text()));
    requireLaw(appender.snapshot());
    assertThat(appender.snapshot().delivered()).isEqualTo(rig.wholeText().lines().count());
    assertThat(rig.problems()).hasSize(1).first().asString().contains("VM.log, called by others");
    assertThat(VmLogCommand.run("output=stdout", "what=all=warning")).isEmpty();
  }

  /** Nothing of ours is in it, though the log may say that others write to it too. */
  @Test
  void aFileThatAnotherOutputWritesIsRefused() throws Exception {
    UlTruth other = UlTruth.open(rig.log(), "gc=info", JvmRig.DECORATORS);
    try {
      JvmLogAppender appender = rig.appender();
      appender.start();
      awaitProblem("<file> .*gc.log is the file of .* another <file>");
      collect(1);
      appender.stop();
      assertThat(rig.jvmDirectories()).isEmpty();
    } finally {
      String unused = other.end();
    }
    assertThat(rig.text()).isNotEmpty().isEqualTo(other.text());
  }

  @Test
  void aConfigurationFileNeedsNoReferenceToIt() throws Exception {
    JoranConfigurator joran = new JoranConfigurator();
    joran.setContext(rig.context);
    String xml =
        """
        <configuration>
          <contextListener class="dev.forebay.jvm.JvmLogAppender">
            <file>%s</file>
            <what>gc*=debug</what>
            <memory>1 MB</memory>
            <spoolDirectory>%s</spoolDirectory>
            <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
              <fileNamePattern>%s.%%i</fileNamePattern>
              <maxIndex>20</maxIndex>
            </rollingPolicy>
            <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
              <maxFileSize>16 KB</maxFileSize>
              <checkIncrement>1 milliseconds</checkIncrement>
            </triggeringPolicy>
          </contextListener>
        </configuration>
        """
            .formatted(rig.log(), rig.shm, rig.log());
    UlTruth truth = rig.truth();
    joran.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    Await.until(
        "the JVM writes, " + rig.problems(), () -> VmLogCommand.run("list").contains("/jvm.log "));
    JvmLogAppender appender = (JvmLogAppender) rig.context.getCopyOfListenerList().get(0);
    while (truth.text().length() < 3 * 16_384) { // collectors differ in what they say
      collect(1);
      assertThat(appender.flush(LONG)).isTrue();
    }
    rig.context.stop();
    assertThat(VmLogCommand.run("list")).doesNotContain("/jvm.log ");
    assertThat(rig.directory.resolve("gc.log.1")).exists();
    assertThat(rig.pausesInAllFiles()).isPositive().isEqualTo(JvmRig.pauses(truth.end()));
    assertThat(rig.problems()).isEmpty();
  }

  private static final String SURVIVED = "linked a class";

  @TempDir Path directory;

  @Test
  void aJvmThatLogsAllGoesOnLinkingClasses() throws Exception {
    assertThat(ChildJvm.run(Logging.class, directory.toString()))
        .isEqualToIgnoringNewLines(SURVIVED);
  }

  static final class Logging {

    private Logging() {}

    public static void main(String[] args) {
      JvmLogAppender appender = new JvmLogAppender();
      appender.setContext(new LoggerContext());
      appender.setFile(args[0] + "/jvm.log");
      appender.setWhat("all=info");
      appender.start();
      Await.until("the JVM writes", appender::isOpen);
      System.out.println(Linked.text());
      appender.stop();
    }
  }

  /** Not linked before its first use. */
  static final class Linked {

    private Linked() {}

    static String text() {
      return Duration.ZERO.isZero() ? SURVIVED : "";
    }
  }
}

package dev.forebay.jvm;

import static dev.forebay.jvm.JvmRig.LONG;
import static dev.forebay.jvm.JvmRig.collect;
import static dev.forebay.jvm.JvmRig.requireLaw;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Await;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The log of this very JVM, beside what the JVM really wrote. */
class JvmLogAppenderTest {

  @AutoClose private final JvmRig rig = JvmRig.create();

  /** Waits until the JVM writes. */
  private JvmLogAppender started(JvmLogAppender appender) {
    appender.start();
    Await.until("the JVM writes, " + rig.problems(), appender::isOpen);
    return appender;
  }

  @Test
  void theLogIsByteForByteWhatTheJvmWrote() throws Exception {
    UlTruth truth = rig.truth();
    JvmLogAppender appender = started(rig.appender());
    collect(20);
    String before = truth.text();
    assertThat(appender.flush(LONG)).isTrue();
    requireLaw(appender.snapshot());
    assertThat(rig.text()).contains(before.substring(before.lastIndexOf('[', before.length() - 2)));
    collect(5);
    appender.stop();
    assertThat(truth.end()).contains(rig.text());
    assertThat(rig.pauses()).isEqualTo(25);
    LedgerSnapshot account = appender.snapshot();
    requireLaw(account);
    assertThat(account.inFlight()).isZero();
    assertThat(account.delivered()).isEqualTo(rig.text().lines().count());
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void aStopRemovesWhatItMade() throws Exception {
    JvmLogAppender appender = started(rig.appender());
    assertThat(rig.jvmDirectories()).hasSize(1);
    assertThat(UlTruth.vmLog("list")).contains(rig.shm.toString());
    appender.stop();
    assertThat(UlTruth.vmLog("list")).doesNotContain(rig.shm.toString());
    try (Stream<Path> left = Files.list(rig.shm)) {
      assertThat(left).isEmpty();
    }
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void theLogHasEveryLineOverManyRotationsOfTheJvm() throws Exception {
    UlTruth truth = rig.truth();
    JvmLogAppender appender = rig.appender();
    appender.setMemory(FileSize.valueOf("128 KB"));
    started(appender);
    for (int i = 0; i < 40; i++) {
      collect(1);
      assertThat(appender.flush(LONG)).isTrue();
    }
    appender.stop();
    assertThat(rig.text().length()).isGreaterThan(5 * 8192);
    assertThat(truth.end()).contains(rig.text());
    assertThat(rig.pauses()).isEqualTo(40);
    assertThat(rig.problems()).isEmpty();
  }
}

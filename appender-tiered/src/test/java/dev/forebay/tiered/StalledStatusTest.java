package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.status.StatusManager;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.tiered.disk.FaultyDisk;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A status listener that blocks, as one that prints to a pipe which nobody reads. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StalledStatusTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final StatusManager before = context.getStatusManager();
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private final Gate pipe = new Gate();
  private final StatusListener listener = this::print;
  private final FaultyDisk disk =
      Joran.failing(path -> path.endsWith("app.log"), FaultyDisk.Op.WRITE);

  private void print(Status status) {
    if (status.getOrigin() instanceof TieredAppender || status.getMessage().startsWith("policy")) {
      pipe.pass();
      said.add(status.getMessage());
    }
  }

  @BeforeEach
  void createPlaces() throws Exception {
    Files.createDirectory(directory.resolve("spool"));
  }

  @AfterEach
  void stop() {
    pipe.open();
    disk.heal();
    context.stop();
  }

  private TieredAppender start(String more) throws Exception {
    TieredAppender appender =
        Joran.tiered(
            context,
            disk,
            "<file>%s</file><spoolDirectory>%s</spoolDirectory>%s"
                .formatted(directory.resolve("app.log"), directory.resolve("spool"), more));
    context.getStatusManager().add(listener);
    return appender;
  }

  private void log(String text) {
    context.getLogger(Logger.ROOT_LOGGER_NAME).info(text);
  }

  @Test
  void shippingCallsAndTheStopGoOnAndAllIsSaidLaterInOrder() throws Exception {
    TieredAppender appender = start("<fsync>never</fsync>");
    log("first");
    pipe.awaitReached(); // the log cannot be written
    log("second");
    disk.heal();
    assertThat(appender.flush(PATIENCE)).isTrue();
    assertThat(directory.resolve("app.log")).hasContent("first\nsecond");
    appender.stop();
    assertThat(said).isEmpty();

    pipe.open();
    Await.said();
    assertThat(said).hasSize(2);
    assertThat(said.get(0)).contains("cannot write");
    assertThat(said.get(1)).contains("writing", "again");
  }

  @Test
  void aStopReturnsAndWhatItSaysIsNotLost() throws Exception {
    TieredAppender appender = start("<maxFlushTime>10 ms</maxFlushTime>");
    log("first");
    pipe.awaitReached();
    long startNs = System.nanoTime();
    appender.stop();
    assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(20));
    assertThat(said).isEmpty();

    pipe.open();
    Await.said();
    assertThat(said).last().asString().contains("left in the spool for the next start");
  }

  /** Logback calls listeners with a lock: any status would wait for the one that blocks. */
  @Test
  void aPolicysOwnStatusesHoldUpNoShipping() throws Exception {
    disk.heal();
    TieredAppender appender =
        start(
            """
            <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
              <fileNamePattern>%s/app.%%i.log</fileNamePattern>
            </rollingPolicy>
            <triggeringPolicy class="%s"/>
            """
                .formatted(directory, Chatty.class.getName()));
    log("first");
    pipe.awaitReached();
    assertThat(appender.flush(PATIENCE)).isTrue();
    log("second");
    assertThat(appender.flush(PATIENCE)).isTrue();
    assertThat(directory.resolve("app.log")).hasContent("first\nsecond");
    pipe.open();
    Await.said();
    assertThat(said).startsWith("policy is asked");

    appender.stop();
    assertThat(context.getStatusManager()).as("as it was").isSameAs(before);
  }

  public static final class Chatty extends ContextAwareBase implements TriggeringPolicy<Object> {

    private boolean started;

    @Override
    public boolean isTriggeringEvent(File activeFile, Object event) {
      addInfo("policy is asked");
      return false;
    }

    @Override
    public void start() {
      started = true;
    }

    @Override
    public void stop() {
      started = false;
    }

    @Override
    public boolean isStarted() {
      return started;
    }
  }
}

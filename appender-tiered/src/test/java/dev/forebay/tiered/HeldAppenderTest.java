package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextListener;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An appender behind another one that does not stop it, as OpenTelemetry's for the MDC. */
class HeldAppenderTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private final LoggerContext context = new LoggerContext();

  @AfterEach
  void stop() {
    context.stop();
  }

  private TieredAppender configured() throws Exception {
    Joran.configure(
        context,
        """
        <configuration>
          <appender name="FILE" class="dev.forebay.tiered.TieredAppender">
            <file>%1$s/app.log</file>
            <spoolDirectory>%1$s</spoolDirectory>
            <encoder><pattern>%%msg%%n</pattern></encoder>
          </appender>
          <appender name="HOLDER" class="%2$s"><appender-ref ref="FILE"/></appender>
          <root><appender-ref ref="HOLDER"/></root>
        </configuration>
        """
            .formatted(directory, Holder.class.getName()));
    return (TieredAppender) AppenderBeans.find(context).get("FILE");
  }

  private void log(String text) {
    context.getLogger("x").info(text);
  }

  @Test
  void leavesItsLogToTheNextConfiguration() throws Exception {
    TieredAppender first = configured();
    log("first");
    context.reset();
    assertThat(first.isStarted()).as("Logback leaves it alone").isTrue();
    TieredAppender second = configured();
    assertThat(first.isStarted()).isFalse();
    log("second");
    assertThat(second.flush(PATIENCE)).isTrue();
    TieredAppender beside =
        Joran.unstarted(context, "BESIDE", directory.resolve("app.log"), directory);
    beside.start();
    assertThat(second.isStarted()).as("of the same configuration").isTrue();
    beside.stop();
    second.stop();

    assertThat(Files.readAllLines(directory.resolve("app.log"))).containsExactly("first", "second");
    for (TieredAppender each : List.of(first, second)) {
      assertThat(each.snapshot().offered()).isEqualTo(1);
      assertThat(each.snapshot().delivered()).isEqualTo(1);
    }
  }

  /** As a program that adds its appender to whatever configuration is read. */
  @Test
  void mayBeStartedByAListenerOfItsContext() {
    List<TieredAppender> added = new ArrayList<>();
    Adding adding =
        new Adding(
            () -> {
              TieredAppender one =
                  Joran.unstarted(context, "ADDED", directory.resolve("app.log"), directory);
              one.start();
              added.add(one);
            });
    context.addListener(adding);
    context.addListener(new Adding(() -> {}));
    context.start();
    context.reset();

    assertThat(added).extracting(TieredAppender::isStarted).containsExactly(false, true);
    TieredAppender beside =
        Joran.unstarted(context, "BESIDE", directory.resolve("app.log"), directory);
    beside.start();
    assertThat(added.get(1).isStarted()).as("of the same configuration").isTrue();
    beside.stop();
    context.removeListener(adding);
    added.get(1).stop();
  }

  @Test
  void aContextKeepsNone() {
    TieredAppender one = Joran.unstarted(context, "JOB", directory.resolve("app.log"), directory);
    one.start();
    assertThat(context.getCopyOfListenerList()).isEmpty();
    one.stop();
  }

  /** Does the same whenever a configuration begins. */
  private record Adding(Runnable work) implements LoggerContextListener {

    @Override
    public boolean isResetResistant() {
      return true;
    }

    @Override
    public void onStart(LoggerContext context) {
      work.run();
    }

    @Override
    public void onReset(LoggerContext context) {
      work.run();
    }

    @Override
    public void onStop(LoggerContext context) {}

    @Override
    public void onLevelChange(Logger logger, Level level) {}
  }

  public static final class Holder extends UnsynchronizedAppenderBase<ILoggingEvent>
      implements AppenderAttachable<ILoggingEvent> {

    private final AppenderAttachableImpl<ILoggingEvent> held = new AppenderAttachableImpl<>();

    public Holder() {}

    @Override
    protected void append(ILoggingEvent event) {
      held.appendLoopOnAppenders(event);
    }

    @Override
    public void addAppender(Appender<ILoggingEvent> appender) {
      held.addAppender(appender);
    }

    @Override
    public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
      return held.iteratorForAppenders();
    }

    @Override
    public Appender<ILoggingEvent> getAppender(String name) {
      return held.getAppender(name);
    }

    @Override
    public boolean isAttached(Appender<ILoggingEvent> appender) {
      return held.isAttached(appender);
    }

    @Override
    public void detachAndStopAllAppenders() {
      held.detachAndStopAllAppenders();
    }

    @Override
    public boolean detachAppender(Appender<ILoggingEvent> appender) {
      return held.detachAppender(appender);
    }

    @Override
    public boolean detachAppender(String name) {
      return held.detachAppender(name);
    }
  }
}

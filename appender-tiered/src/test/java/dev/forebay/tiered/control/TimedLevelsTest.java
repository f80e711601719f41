package dev.forebay.tiered.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import dev.forebay.host.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Levels that last for a time. */
class TimedLevelsTest {

  private static final String THREAD = "forebay-levels";

  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("com.example.shop");
  private final Logger other = context.getLogger("com.acme");
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final AtomicLong nowNs = new AtomicLong();
  private final NavigableMap<Long, List<Runnable>> due = new TreeMap<>();

  /** Those of earlier tests of this JVM may still be ending. */
  private final Set<Thread> before = Thread.getAllStackTraces().keySet();

  private TimedLevels levels = new TimedLevels(context, nowNs::get, new Timer());

  /** One for which the time passes as the test says. */
  private final class Timer extends ScheduledThreadPoolExecutor {
    Timer() {
      super(1);
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
      due.computeIfAbsent(nowNs.get() + unit.toNanos(delay), at -> new ArrayList<>()).add(work);
      return null;
    }
  }

  @BeforeEach
  void listen() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    attach(Logger.ROOT_LOGGER_NAME, said::add);
  }

  private void attach(String name, Consumer<String> messages) {
    Appender<ILoggingEvent> appender =
        new UnsynchronizedAppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            messages.accept(event.getFormattedMessage());
          }
        };
    appender.setContext(context);
    appender.start();
    context.getLogger(name).addAppender(appender);
  }

  @AfterEach
  void endTheThread() {
    context.stop();
    Await.until("no thread is left", () -> threads() == 0);
  }

  private long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(THREAD) && !before.contains(thread))
        .count();
  }

  private void pass(int seconds) {
    nowNs.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    while (!due.isEmpty() && due.firstKey() <= nowNs.get()) {
      due.pollFirstEntry().getValue().forEach(Runnable::run);
    }
  }

  @Test
  void aLevelLastsForItsTimeAndIsGivenBack() {
    logger.setLevel(Level.INFO);
    levels.set(logger.getName(), "DEBUG", 60);
    pass(59);
    assertThat(logger.getLevel()).isEqualTo(Level.DEBUG);
    assertThat(levels.show())
        .containsOnly(
            entry("ROOT", "DEBUG"), entry("com.example.shop", "DEBUG for 1 s, then INFO"));
    pass(1);
    assertThat(logger.getLevel()).isEqualTo(Level.INFO);
    assertThat(said)
        .containsExactly(
            "Forebay: level of com.example.shop set to DEBUG for 60 s",
            "Forebay: level of com.example.shop is INFO again");
    assertThat(levels.set("com.acme", "trace", 1))
        .isEqualTo("level of com.acme set to TRACE for 1 s, then inherited");
    assertThat(other.isTraceEnabled()).isTrue();
    pass(1);
    assertThat(other.getLevel()).isNull();
    assertThat(said).last().asString().endsWith("is inherited again");
  }

  @Test
  void theNewestTimerWinsAndWhatWasBeforeTheFirstIsGivenBack() {
    logger.setLevel(Level.WARN);
    levels.set(logger.getName(), "DEBUG", 60);
    pass(30);
    levels.set(logger.getName(), "TRACE", 60);
    pass(30);
    assertThat(logger.getLevel()).as("the first one's time is over").isEqualTo(Level.TRACE);
    pass(30);
    assertThat(logger.getLevel()).isEqualTo(Level.WARN);
  }

  @Test
  void whatOthersHaveSetMeanwhileStays() {
    levels.set(logger.getName(), "DEBUG", 60);
    logger.setLevel(Level.ERROR);
    pass(60);
    assertThat(logger.getLevel()).isEqualTo(Level.ERROR);
    assertThat(said).last().asString().contains("stays ERROR");
  }

  @Test
  void aReconfigurationEndsAll() {
    levels.set(logger.getName(), "DEBUG", 60);
    context.reset();
    logger.setLevel(Level.DEBUG); // as the new configuration says
    pass(60);
    assertThat(logger.getLevel()).isEqualTo(Level.DEBUG);
    assertThat(TimedLevels.of(context)).isSameAs(TimedLevels.of(context)).isNotSameAs(levels);
  }

  @Test
  void theThreadLivesAsLongAsALevelDoes() {
    assertThat(threads()).isZero();
    levels = new TimedLevels(context, nowNs::get, TimedLevels.newTimer());
    levels.set("ROOT", "INFO", 1);
    assertThat(threads()).isOne();
    Await.until("given back", () -> said.size() == 2);
    Await.until("ended", () -> threads() == 0);
    assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).getLevel()).isEqualTo(Level.DEBUG);
  }
}

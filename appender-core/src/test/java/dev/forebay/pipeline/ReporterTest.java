package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.JmxRegistration;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingListener;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The reporter without a thread. */
class ReporterTest {

  private static final long INTERVAL_NS = 1000;

  private final Ledger ledger = new Ledger();
  private final RecordingListener listener = new RecordingListener();
  private final List<String> warnings = new ArrayList<>();
  private long nowNs = 500;
  private boolean broken;
  private final PipelineContext context =
      new PipelineContext(
          Events.context("reporter"), this::now, () -> 0, (text, cause) -> warnings.add(text));
  private final Reporter reporter =
      new Reporter(
          new FailureNotifier("RING", ledger, List.of(listener), context.warnings()),
          INTERVAL_NS,
          new JmxRegistration("reporter", "RING", context.warnings()),
          new PipelineBean(ledger, new AppendGate(ledger), () -> null),
          context);

  @Test
  void tellsListenersAtMostOnceAnInterval() {
    drop();
    reporter.doWork();
    assertThat(listener.calls()).isEmpty();
    nowNs += INTERVAL_NS;
    reporter.doWork();
    drop();
    reporter.doWork();
    nowNs += INTERVAL_NS - 1;
    reporter.doWork();
    assertThat(listener.calls()).containsExactly("dropped 1");
    nowNs += 1;
    reporter.doWork();

    assertThat(listener.calls()).containsExactly("dropped 1", "dropped 1");
  }

  @Test
  void aReportThatIsAskedForIsMadeWhateverTheIntervalSays() {
    drop();
    reporter.doWork();
    assertThat(listener.calls()).isEmpty();
    reporter.requestReport();
    assertThat(reporter.hasMadeReports()).isFalse();
    reporter.doWork();

    assertThat(reporter.hasMadeReports()).isTrue();
    assertThat(listener.calls()).containsExactly("dropped 1");
    drop();
    reporter.doWork();
    assertThat(listener.calls()).as("asked for once").hasSize(1);
  }

  @Test
  void anErrorOfWhoeverListensToJmxEndsNeitherTheStartNorTheStop() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    NotificationListener angry =
        (notification, handback) -> {
          if (((MBeanServerNotification) notification)
              .getMBeanName()
              .toString()
              .contains("context=reporter")) {
            throw new AssertionError("listens to registrations");
          }
        };
    server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, angry, null, null);
    try {
      reporter.onStart();
      drop();
      reporter.onClose();
    } finally {
      server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, angry);
    }

    assertThat(listener.calls()).containsExactly("started RING", "dropped 1", "stopped RING");
    assertThat(warnings).hasSize(2);
    assertThat(server.queryNames(new ObjectName("dev.forebay:context=reporter,*"), null)).isEmpty();
  }

  @Test
  void closingTellsWhatIsLeft() {
    reporter.onStart();
    drop();
    reporter.onClose();

    assertThat(listener.calls()).containsExactly("started RING", "dropped 1", "stopped RING");
  }

  @Test
  void replacesAThreadThatAnErrorHasEndedAndSaysSo() {
    AtomicInteger turns = new AtomicInteger();
    AtomicInteger deaths = new AtomicInteger();
    AgentThread watched =
        new AgentThread(
            new Agent() {
              @Override
              public int doWork() {
                if (turns.incrementAndGet() == 1) {
                  throw new AssertionError("dies");
                }
                return 0;
              }
            },
            (workDone, now) -> TimeUnit.HOURS.toNanos(1),
            "watched",
            NanoClock.SYSTEM,
            thrown -> deaths.incrementAndGet(),
            false);
    reporter.watch(watched);
    reporter.doWork();
    assertThat(warnings).as("not started yet").isEmpty();
    watched.start();
    Await.until("dead", () -> deaths.get() == 1);
    Await.until(
        "replaced",
        () -> {
          reporter.doWork();
          return !warnings.isEmpty();
        });
    Await.until("works", () -> turns.get() == 2);

    assertThat(warnings).containsExactly("Replaced a thread that had died: watched");
    watched.requestStop();
    assertThat(watched.join(TimeUnit.SECONDS.toNanos(10))).isTrue();
  }

  @Test
  void sleepsWhileThereIsNothingToReport() {
    assertThat(reporter.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
    drop();
    assertThat(reporter.sleepNs(nowNs)).as("a drop is to be reported").isZero();
    nowNs += INTERVAL_NS;
    reporter.doWork();
    assertThat(reporter.sleepNs(nowNs)).as("the end of the drops is to be reported").isZero();
    nowNs += INTERVAL_NS;
    reporter.doWork();
    assertThat(listener.calls()).hasSize(2);
    assertThat(reporter.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
    reporter.requestReport();
    assertThat(reporter.sleepNs(nowNs)).as("asked for").isZero();
    reporter.doWork();
    assertThat(reporter.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
  }

  @Test
  void theFirstDropsAfterASleepAreReportedTogether() {
    assertThat(reporter.sleepNs(nowNs)).isEqualTo(Agent.UNTIL_WOKEN);
    nowNs += 10 * INTERVAL_NS + 1;
    drop();
    reporter.doWork();
    drop();
    nowNs += INTERVAL_NS - 2;
    reporter.doWork();
    assertThat(listener.calls()).as("the interval would not have ended yet").isEmpty();
    nowNs++;
    reporter.doWork();

    assertThat(listener.calls()).containsExactly("dropped 2");
  }

  @Test
  void anErrorDoesNotEndTheThreadThatNobodyWatches() {
    drop();
    nowNs += INTERVAL_NS;
    broken = true;
    reporter.doWork();
    assertThat(warnings).containsExactly("The reporter failed");
    broken = false;
    reporter.doWork();

    assertThat(listener.calls()).containsExactly("dropped 1");
  }

  private long now() {
    if (broken) {
      throw new InternalError("simulated");
    }
    return nowNs;
  }

  private void drop() {
    ledger.drop(DropReason.RING_FULL, Events.info("dropped"));
  }
}

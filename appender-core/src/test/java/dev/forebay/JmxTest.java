package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.Gate;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.testkit.Rig;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerFactory;
import javax.management.MBeanServerNotification;
import javax.management.MalformedObjectNameException;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class JmxTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private final List<NotificationListener> listeners = new ArrayList<>();

  @Test
  void showsTheAccountOfARunningAppenderUntilItStopsAndWhenItStartsAgain() {
    try (Rig rig = named("jmx-account")) {
      AppenderMXBean bean = awaitBean("jmx-account");
      Gate gate = rig.blockFlusher();
      rig.log(Level.WARN, 20);

      assertThat(bean.getAccount().get("offered")).isEqualTo(21);
      assertThat(bean.getAccount().get("dropped")).isEqualTo(4);
      assertThat(bean.getAccount()).containsEntry("dropped.RING_FULL.WARN", 4L);
      assertThat(bean.getAccount().get("inFlight")).isEqualTo(17);
      assertThat(bean.getAccount().get("ringFill")).isEqualTo(16);
      assertThat(bean.getAccount().get("ringCapacity")).isEqualTo(16);
      assertThat(bean.getLastError()).isEmpty();
      assertThat(bean.flush(5)).isFalse();
      gate.open();
      assertThat(bean.flush(20_000)).isTrue();
      assertThat(bean.getAccount().get("delivered")).isGreaterThanOrEqualTo(17);
      assertThat(bean.getAccount().get("ringFill")).isZero();
      rig.stop(21);
      assertThat(names("jmx-account*")).isEmpty();
      rig.appender.start();
      assertThat(awaitBean("jmx-account").getAccount().get("offered")).isGreaterThanOrEqualTo(21);
    }
  }

  /** Such as an application server's, which has the platform's beans elsewhere. */
  @Test
  void noServerIsCreatedAnotherIsLeftAloneAndThePlatformsIsFoundLater() throws Exception {
    assertThat(ChildJvm.run(AppenderBeforeJmx.class))
        .isEqualToIgnoringNewLines("1 server, 1 bean, 0 in the other");
  }

  static final class AppenderBeforeJmx {

    private AppenderBeforeJmx() {}

    public static void main(String[] args) throws Exception {
      // Nothing of JmxTest itself, whose first use creates a server.
      MBeanServer other = MBeanServerFactory.createMBeanServer();
      try (Rig rig = Rig.started(appender -> appender.setReportInterval("10 ms"))) {
        rig.log(1);
        rig.awaitDelivered(1);
        System.out.print(MBeanServerFactory.findMBeanServer(null).size() + " server, ");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("dev.forebay:*");
        Await.until("in JMX", () -> !server.queryNames(name, null).isEmpty());
        System.out.print(server.queryNames(name, null).size() + " bean, ");
        System.out.println(other.queryNames(name, null).size() + " in the other");
      }
    }
  }

  private void when(String type, String appender, Runnable action) throws Exception {
    NotificationListener listener =
        (notification, handback) -> {
          if (notification instanceof MBeanServerNotification news
              && news.getMBeanName().toString().contains("name=" + appender)
              && news.getType().contains(type)) {
            action.run();
          }
        };
    SERVER.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
    listeners.add(listener);
  }

  @AfterEach
  void forgetListeners() throws Exception {
    for (NotificationListener each : listeners) {
      SERVER.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, each);
    }
  }

  @Test
  void anErrorOfWhoeverListensHoldsUpNothing() throws Exception {
    when(
        "registered",
        "jmx-angry",
        () -> {
          throw new AssertionError("listens to registrations");
        });
    try (Rig rig = named("jmx-angry")) {
      Await.until("registered", () -> names("jmx-angry").size() == 1);
      rig.log(2);
      rig.stop(2);
      assertThat(names("jmx-angry")).isEmpty();
    }
  }

  @Test
  void whoHangsWhenABeanIsAddedOrGoesHoldsUpNoStartAndNoStop() throws Exception {
    Gate added = new Gate();
    Gate gone = new Gate();
    when(MBeanServerNotification.REGISTRATION_NOTIFICATION, "jmx-hangs", added::pass);
    when("unregistered", "jmx-hangs", gone::pass);
    try (Rig rig = named("jmx-hangs")) {
      added.awaitReached();
      rig.log(3);
      rig.awaitDelivered(3);
      added.open();
      awaitBean("jmx-hangs");
      rig.stop(3);
      gone.awaitReached();
      gone.open();
      Await.until("gone", () -> names("jmx-hangs").isEmpty());
    }
  }

  /** The JDK's management logs at DEBUG, which Play and others lead to Logback. */
  @Test
  void whatIsLoggedWhenTheAppenderLeavesIsDelivered() throws Exception {
    try (Rig rig = named("jmx-leaves")) {
      awaitBean("jmx-leaves");
      when("unregistered", "jmx-leaves", () -> rig.logger.debug("gone"));
      rig.stop(1);
      assertThat(rig.delegate.messages()).containsExactly("gone");
      assertThat(rig.snapshot().dropped()).isZero();
    }
  }

  @Test
  void saysWhyLessThanAllWorksAsLongAsThatIsSo() throws Exception {
    try (Rig rig = named("jmx-degraded")) {
      AppenderMXBean bean = awaitBean("jmx-degraded");
      assertThat(bean.getDegraded()).isEmpty();
      rig.delegate.before(
          event -> {
            throw new IllegalStateException("no space left");
          });
      rig.log(1);
      Await.until("degraded", () -> bean.getDegraded().contains("no space left"));
      rig.delegate.before(event -> {});
      rig.log(1);
      Await.until("works again", () -> bean.getDegraded().isEmpty());

      assertThat(bean.getLastError()).as("is kept").contains("no space left");
      rig.stop(2);
    }
  }

  @Test
  void appendersOfTheSameNameGetANumber() throws Exception {
    try (Rig first = named("jmx-clash")) {
      awaitBean("jmx-clash");
      try (Rig second = named("jmx-clash")) {
        second.log(2);
        assertThat(awaitBean("jmx-clash-2").getAccount().get("offered")).isEqualTo(2);
        assertThat(second.problems()).isEmpty();
      }
      Await.until("gone", () -> names("jmx-clash-2").isEmpty());
      assertThat(names("jmx-clash")).hasSize(1);
      assertThat(first.problems()).isEmpty();
    }
  }

  /** The first look at JMX is as far from the start as the first report may be. */
  private static Rig named(String name) {
    return Rig.started(
        appender -> {
          appender.setReportInterval("10 ms");
          appender.setName(name);
          appender.setRingBufferSize(16);
        });
  }

  private static Set<ObjectName> names(String name) {
    try {
      return SERVER.queryNames(
          new ObjectName("dev.forebay:type=Appender,context=rig,name=" + name), null);
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  private static AppenderMXBean awaitBean(String name) {
    Await.until(name + " is registered", () -> names(name).size() == 1);
    return JMX.newMXBeanProxy(SERVER, names(name).iterator().next(), AppenderMXBean.class);
  }
}

package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.Gate;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Rig;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerBuilder;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.MalformedObjectNameException;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JmxTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @Test
  void showsTheAccountOfARunningAppender() throws Exception {
    try (Rig rig = named("jmx-account")) {
      AppenderMXBean bean = awaitBean("jmx-account");
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 20; i++) {
        rig.logger.warn("event");
      }

      assertThat(bean.getOffered()).isEqualTo(21);
      assertThat(bean.getDroppedTotal()).isEqualTo(4);
      assertThat(bean.getDropped()).isEqualTo(Map.of("RING_FULL", Map.of("WARN", 4L)));
      assertThat(bean.getInFlight()).isEqualTo(17);
      assertThat(bean.getRingFill()).isEqualTo(16);
      assertThat(bean.getRingCapacity()).isEqualTo(16);
      assertThat(bean.getLastError()).isEmpty();
      gate.open();
      assertThat(bean.flush(20_000)).isTrue();
      assertThat(bean.getDelivered()).isGreaterThanOrEqualTo(17);
      assertThat(bean.getRingFill()).isZero();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 21, rig.delegate);
    }
  }

  @Test
  void theBeanIsThereWhenTheStartReturns() throws Exception {
    Rig rig = Rig.unstarted(appender -> appender.setName("jmx-at-once"));
    rig.appender.jmxNs = TimeUnit.MINUTES.toNanos(1);
    rig.appender.start();

    assertThat(SERVER.queryNames(new ObjectName("dev.forebay:name=jmx-at-once,*"), null))
        .hasSize(1);
    rig.appender.stop();
  }

  @Test
  void noStartWaitsForTheFirstMBeanServer() throws Exception {
    String output =
        ChildJvm.run(
            List.of("-Djavax.management.builder.initial=" + ServerAfterTheStart.class.getName()),
            StartBeforeJmx.class);

    assertThat(output).isEqualToIgnoringNewLines("1 bean");
  }

  /** Lets no MBean server be created before the appender has started. */
  public static final class ServerAfterTheStart extends MBeanServerBuilder {

    static final Gate STARTED = new Gate();

    @Override
    public MBeanServer newMBeanServer(
        String defaultDomain, @Nullable MBeanServer outer, MBeanServerDelegate delegate) {
      STARTED.pass();
      return super.newMBeanServer(defaultDomain, outer, delegate);
    }
  }

  /** Starts an appender in a JVM without JMX. */
  static final class StartBeforeJmx {

    private StartBeforeJmx() {}

    public static void main(String[] args) throws Exception {
      Rig rig = Rig.unstarted(appender -> appender.setName("before-jmx"));
      rig.appender.jmxNs = TimeUnit.HOURS.toNanos(1);
      rig.appender.start();
      ServerAfterTheStart.STARTED.open();
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName("dev.forebay:name=before-jmx,*");
      Await.until("in JMX", () -> !server.queryNames(name, null).isEmpty());
      System.out.println(server.queryNames(name, null).size() + " bean");
      rig.appender.stop();
    }
  }

  @Test
  void whoHangsWhenABeanIsAddedHoldsUpNoStart() throws Exception {
    Gate gate = new Gate();
    NotificationListener hangs =
        (notification, handback) -> {
          if (((MBeanServerNotification) notification)
              .getMBeanName()
              .toString()
              .contains("name=jmx-hangs")) {
            gate.pass();
          }
        };
    SERVER.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, hangs, null, null);
    Rig rig = Rig.unstarted(appender -> appender.setName("jmx-hangs"));
    try {
      Thread starter = new Thread(rig.appender::start);
      starter.start();
      gate.awaitReached();
      Await.end(starter);

      assertThat(rig.appender.isStarted()).isTrue();
      rig.log(3);
      rig.awaitDelivered(3);
    } finally {
      gate.open();
      SERVER.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, hangs);
    }
    rig.appender.stop();
    Conservation.assertSettled(rig.appender, 3, rig.delegate);
  }

  @Test
  void everythingItShowsIsDescribed() throws Exception {
    try (Rig rig = named("jmx-described")) {
      AppenderMXBean unused = awaitBean("jmx-described");
      Set<ObjectName> names =
          SERVER.queryNames(new ObjectName("dev.forebay:name=jmx-described,*"), null);
      MBeanInfo info = SERVER.getMBeanInfo(names.iterator().next());

      assertThat(info.getDescription()).contains("Forebay");
      assertThat(info.getAttributes())
          .hasSizeGreaterThan(9)
          .allMatch(attribute -> attribute.getDescription().contains(" "));
      assertThat(info.getOperations())
          .allMatch(operation -> operation.getDescription().contains(" "))
          .allMatch(operation -> operation.getSignature()[0].getDescription().contains(" "));
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 0, rig.delegate);
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
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  @Test
  void flushGivesUpAtItsDeadline() throws Exception {
    try (Rig rig = named("jmx-flush")) {
      AppenderMXBean bean = awaitBean("jmx-flush");
      Gate gate = rig.blockFlusher();

      assertThat(bean.flush(5)).isFalse();
      gate.open();
      assertThat(bean.flush(20_000)).isTrue();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void namesTheNewestFailure() throws Exception {
    try (Rig rig = named("jmx-error")) {
      rig.delegate.before(
          event -> {
            throw new IllegalStateException("no space left");
          });
      AppenderMXBean bean = awaitBean("jmx-error");
      rig.log(1);
      Await.until("error", () -> bean.getLastError().contains("no space left"));

      assertThat(bean.getLastError()).contains("[RECORDING]", "IllegalStateException");
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void isGoneAfterStopAndBackAfterStart() throws Exception {
    try (Rig rig = named("jmx-restart")) {
      assertThat(awaitBean("jmx-restart").getOffered()).isZero();
      rig.appender.stop();
      assertThat(names("jmx-restart*")).isEmpty();

      rig.appender.start();
      rig.log(1);
      Await.until("counted", () -> awaitBean("jmx-restart").getOffered() == 1);
    }
  }

  /** The JDK's management logs at DEBUG, which Play and others lead to Logback. */
  @Test
  void whatIsLoggedWhenTheAppenderLeavesIsDelivered() throws Exception {
    try (Rig rig = named("jmx-leaves")) {
      assertThat(awaitBean("jmx-leaves").getOffered()).isZero();
      ObjectName name = names("jmx-leaves").iterator().next();
      NotificationListener listener =
          (notification, handback) -> {
            if (notification instanceof MBeanServerNotification gone
                && gone.getMBeanName().equals(name)) {
              rig.logger.debug("{}", gone.getType());
            }
          };
      SERVER.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
      try {
        rig.appender.stop();
      } finally {
        SERVER.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
      }
      assertThat(names("jmx-leaves")).isEmpty();
      assertThat(rig.delegate.messages())
          .containsExactly(MBeanServerNotification.UNREGISTRATION_NOTIFICATION);
      assertThat(rig.snapshot().dropped()).isZero();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  /** Somebody who is told of beans, and hangs, must not hang the stop. */
  @Test
  void aStopDoesNotWaitForOneWhoHangsWhenTheAppenderLeaves() throws Exception {
    try (Rig rig = named("jmx-hangs")) {
      assertThat(awaitBean("jmx-hangs").getOffered()).isZero();
      ObjectName name = names("jmx-hangs").iterator().next();
      Gate gate = new Gate();
      NotificationListener listener =
          (notification, handback) -> {
            if (notification instanceof MBeanServerNotification gone
                && gone.getMBeanName().equals(name)) {
              gate.pass();
            }
          };
      SERVER.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
      try {
        rig.log(3);
        rig.appender.stop();
        gate.awaitReached();
        Conservation.assertSettled(rig.appender, 3, rig.delegate);
      } finally {
        gate.open();
        SERVER.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
      }
      Await.until("gone", () -> names("jmx-hangs").isEmpty());
    }
  }

  @Test
  void appendersOfTheSameNameGetANumber() throws Exception {
    try (Rig first = named("jmx-clash")) {
      assertThat(awaitBean("jmx-clash").getOffered()).isZero();
      try (Rig second = named("jmx-clash")) {
        second.log(2);
        assertThat(awaitBean("jmx-clash-2").getOffered()).isEqualTo(2);
        assertThat(second.problems()).isEmpty();
      }
      Await.until("gone", () -> names("jmx-clash-2").isEmpty());
      assertThat(names("jmx-clash")).hasSize(1);
      assertThat(first.problems()).isEmpty();
    }
  }

  @Test
  void aNameThatIsNoObjectNameIsQuoted() throws Exception {
    try (Rig rig = named("odd,name=\"x\"*")) {
      Await.until("registered", () -> !names(ObjectName.quote("odd,name=\"x\"*")).isEmpty());
      assertThat(rig.problems()).isEmpty();
    }
  }

  @Test
  void noOperationTakesMoreThanANumber() throws Exception {
    try (Rig rig = named("jmx-operations")) {
      assertThat(awaitBean("jmx-operations").getReports()).isZero();
      ObjectName name = names("jmx-operations").iterator().next();
      MBeanOperationInfo[] operations = SERVER.getMBeanInfo(name).getOperations();

      assertThat(operations)
          .singleElement()
          .satisfies(
              operation -> {
                assertThat(operation.getName()).isEqualTo("flush");
                assertThat(Stream.of(operation.getSignature()).map(type -> type.getType()))
                    .containsExactly("long");
              });
      assertThat(SERVER.getMBeanInfo(name).getAttributes())
          .noneMatch(attribute -> attribute.isWritable());
      assertThat(rig.problems()).isEmpty();
    }
  }

  private static Rig named(String name) {
    return Rig.started(
        appender -> {
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

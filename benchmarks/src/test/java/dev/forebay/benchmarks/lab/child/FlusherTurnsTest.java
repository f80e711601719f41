package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class FlusherTurnsTest {

  /** The one attribute that is read. */
  public interface TurnsMXBean {
    long[] getTurnsByEvents();
  }

  @Test
  void readsTheTurnsOfTheOneAppender() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("dev.forebay:type=Appender,context=turns,name=MEASURED");
    TurnsMXBean bean = () -> new long[] {7, 0, 3};
    server.registerMBean(bean, name);
    try {
      assertThat(FlusherTurns.read()).containsExactly(7L, 0L, 3L);
    } finally {
      server.unregisterMBean(name);
    }
  }

  @Test
  void withoutAnAppenderThereAreNone() {
    assertThat(FlusherTurns.read()).isEmpty();
  }
}

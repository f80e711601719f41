package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a JMX console shows of an operation before it is called. */
@Tag("once")
class DescribedBeanTest {

  private final Object bean =
      Proxy.newProxyInstance(
          getClass().getClassLoader(),
          new Class<?>[] {ControlMXBean.class},
          (proxy, method, arguments) -> null);

  private final MBeanInfo info = new DescribedBean(bean).getMBeanInfo();

  @Test
  void parametersHaveTheirNames() {
    assertThat(info.getOperations())
        .extracting(
            operation ->
                operation.getName()
                    + Stream.of(operation.getSignature()).map(MBeanFeatureInfo::getName).toList())
        .containsExactlyInAnyOrder(
            "setLevel[logger, level, seconds]", "rotate[]", "flush[timeoutMillis]", "dump[reason]");
  }

  @Test
  void everythingIsDescribed() {
    assertThat(info.getDescription()).contains(" ");
    assertThat(Stream.of(info.getAttributes(), info.getOperations()).flatMap(Stream::of))
        .allMatch(shown -> shown.getDescription().contains(" "));
    assertThat(Stream.of(info.getOperations()).flatMap(shown -> Stream.of(shown.getSignature())))
        .allMatch(parameter -> parameter.getDescription().contains(" "));
  }
}

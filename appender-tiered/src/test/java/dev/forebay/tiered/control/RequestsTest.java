package dev.forebay.tiered.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.observe.ControlMXBean;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a line is answered with. */
@Tag("once")
class RequestsTest {

  private static String account(String degraded, String lastError) {
    Map<String, Object> told =
        Map.of(
            "getAccount", Map.of("dropped", 3L),
            "getDegraded", degraded,
            "getLastError", lastError);
    ControlMXBean control =
        (ControlMXBean)
            Proxy.newProxyInstance(
                RequestsTest.class.getClassLoader(),
                new Class<?>[] {ControlMXBean.class},
                (proxy, method, arguments) -> told.get(method.getName()));
    return new Requests(control).apply(" account");
  }

  @Test
  void anAccountSaysInWordsWhatFails() {
    assertThat(account("the log: full; no\nspool", "the log: full"))
        .isEqualTo("ok\ndropped 3\ndegraded the log: full; no?spool\nlastError the log: full\n\n");
    assertThat(account("", "the log: full"))
        .isEqualTo("ok\ndropped 3\nlastError the log: full\n\n");
    assertThat(account("", "")).isEqualTo("ok\ndropped 3\n\n");
  }
}

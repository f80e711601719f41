package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class AgeTest {

  private static final long DAY_MS = 86_400_000;

  /** The clock says 300 days later. */
  @ParameterizedTest
  @CsvSource({"true, 1, false", "true, 8, true", "false, 1, true"})
  void nothingInMemoryIsOlderThanTheStartOfTheMachine(
      boolean isInMemory, long uptimeDays, boolean isOlder) {
    Disk disk =
        (Disk)
            Proxy.newProxyInstance(
                Disk.class.getClassLoader(),
                new Class<?>[] {Disk.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "isInMemory" -> isInMemory;
                      case "uptimeMs" -> uptimeDays * DAY_MS;
                      default -> InvocationHandler.invokeDefault(proxy, method, arguments);
                    });

    assertThat(disk.isOlder(Path.of("spool"), 0, 300 * DAY_MS, 7 * DAY_MS)).isEqualTo(isOlder);
    assertThat(disk.isOlder(Path.of("spool"), 0, 6 * DAY_MS, 7 * DAY_MS)).isFalse();
  }

  @Test
  void theMachineHasBeenRunningForAWhile() {
    assertThat(new NioDisk().uptimeMs()).isPositive();
  }
}

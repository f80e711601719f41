package dev.forebay.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class CleanupTest {

  private final List<String> closed = new ArrayList<>();
  private final Cleanup cleanup = new Cleanup();

  private AutoCloseable thing(String name) {
    return () -> closed.add(name);
  }

  private static AutoCloseable stuck(String name) {
    return () -> {
      throw new IllegalStateException(name + " is stuck");
    };
  }

  @Test
  void closesTheNewestFirstAndOnce() throws Exception {
    cleanup.own(() -> thing("disk"));
    cleanup.own(() -> thing("application"));

    cleanup.close();
    cleanup.closeAndReport();

    assertThat(closed).containsExactly("application", "disk");
  }

  @Test
  void goesOnWhenOneStepFailsAndThenThrowsWhatFailed() {
    cleanup.own(() -> thing("disk"));
    cleanup.own(() -> stuck("the application"));
    cleanup.own(() -> stuck("the load"));

    assertThatThrownBy(cleanup::close)
        .hasRootCauseMessage("the load is stuck")
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("the application is stuck"));
    assertThat(closed).containsExactly("disk");
  }

  @Test
  void letsNothingStartOnceItHasBegun() throws Exception {
    cleanup.close();

    assertThatThrownBy(
            () ->
                cleanup.own(
                    () -> {
                      closed.add("started");
                      return thing("late");
                    }))
        .isInstanceOf(BrokenOffException.class);
    assertThat(closed).isEmpty();
  }
}

package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanupTest {

  private final List<String> undone = new ArrayList<>();
  private final Cleanup cleanup = new Cleanup();

  private AutoCloseable thing(String name) {
    return () -> undone.add(name);
  }

  @Test
  void undoesTheNewestFirstAndOnce() {
    cleanup.own(() -> thing("disk"));
    cleanup.own(() -> thing("application"));
    cleanup.before(() -> undone.add("stall"));

    cleanup.close();
    cleanup.close();

    assertThat(undone).containsExactly("stall", "application", "disk");
  }

  @Test
  void goesOnWhenOneStepFails() {
    cleanup.own(() -> thing("disk"));
    cleanup.before(
        () -> {
          throw new IllegalStateException("on purpose");
        });

    cleanup.close();

    assertThat(undone).containsExactly("disk");
  }

  @Test
  void letsNothingStartOnceItHasBegun() {
    cleanup.close();

    assertThatThrownBy(
            () ->
                cleanup.own(
                    () -> {
                      undone.add("started");
                      return thing("late");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(undone).isEmpty();
  }
}

package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages to somebody who may not listen. */
@Tag("once")
class SpeakerTest {

  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private final Speaker speaker = new Speaker("speaker-test", said::add);
  private final Gate gate = new Gate();

  @AfterEach
  void open() {
    gate.open();
  }

  private void say(int from, int to) {
    for (int i = from; i < to; i++) {
      String text = "message " + i;
      speaker.say(() -> said.add(text));
    }
  }

  private void block() {
    speaker.say(gate::pass);
    gate.awaitReached();
  }

  @Test
  void messagesThatWaitAreSaidInOrderOnceThatIsPossible() {
    block();
    say(0, Speaker.MAX_WAITING);
    speaker.await(1);
    assertThat(said).isEmpty();
    gate.open();
    speaker.await(LONG_NS);
    assertThat(said).hasSize(Speaker.MAX_WAITING).startsWith("message 0", "message 1");
    assertThat(said.get(Speaker.MAX_WAITING - 1)).isEqualTo("message 99");
  }

  @Test
  void thoseBeyondAreCountedWhereTheyAreMissing() {
    block();
    say(0, Speaker.MAX_WAITING + 7);
    gate.open();
    speaker.await(LONG_NS);
    assertThat(said).hasSize(Speaker.MAX_WAITING + 1);
    assertThat(said.get(Speaker.MAX_WAITING)).startsWith("... and 7 messages more");

    say(0, 1);
    speaker.await(LONG_NS);
    assertThat(said).endsWith("message 0");
  }

  @Test
  void oneThatThrowsDoesNotDisturbTheNext() {
    speaker.say(
        () -> {
          throw new NoClassDefFoundError("listener");
        });
    say(0, 1);
    speaker.await(LONG_NS);
    assertThat(said).containsExactly("message 0");
  }

  @Test
  void whoHearsAMessageDoesNotWaitForItself() {
    speaker.say(
        () -> {
          speaker.await(Long.MAX_VALUE);
          said.add("heard");
        });
    speaker.await(LONG_NS);
    assertThat(said).containsExactly("heard");
  }

  @Test
  void itsThreadEndsWhenAllIsSaid() {
    say(0, 3);
    Await.until(
        "no thread",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("speaker-test")));
    assertThat(said).hasSize(3);
  }
}

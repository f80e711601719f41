package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.TimeLimit;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages to somebody who may not listen. */
@Tag("once")
class HandedOverTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private final ContextBase context = new ContextBase();
  private final NonBlockingAppender first = new NonBlockingAppender();
  private final HandedOver handed = new HandedOver(context.getStatusManager(), first);
  private final Gate gate = new Gate();

  @BeforeEach
  void listen() {
    first.setContext(context);
    StatusListener listener = status -> said.add(status.getMessage());
    context.getStatusManager().add(listener);
  }

  @AfterEach
  void open() {
    gate.open();
  }

  private void say(int from, int to) {
    for (int i = from; i < to; i++) {
      String text = "message " + i;
      handed.say(() -> said.add(text));
    }
  }

  private void block() {
    handed.say(gate::pass);
    gate.awaitReached();
  }

  @Test
  void messagesThatWaitAreSaidInOrderOnceThatIsPossible() {
    block();
    say(0, HandedOver.MAX_WAITING);
    assertThat(HandedOver.MAX_WAITING).as("each of many appenders has one").isGreaterThan(499);
    handed.await(new TimeLimit(NanoClock.SYSTEM, 1));
    assertThat(said).isEmpty();
    gate.open();
    handed.await(NanoClock.SYSTEM.limit(LONG));
    assertThat(said).hasSize(HandedOver.MAX_WAITING).startsWith("message 0", "message 1");
    assertThat(said).endsWith("message " + (HandedOver.MAX_WAITING - 1));
  }

  @Test
  void thoseBeyondAreCountedWhereTheyAreMissing() {
    block();
    say(0, HandedOver.MAX_WAITING + 7);
    gate.open();
    handed.await(NanoClock.SYSTEM.limit(LONG));
    assertThat(said).hasSize(HandedOver.MAX_WAITING + 1);
    assertThat(said.get(HandedOver.MAX_WAITING)).contains("... and 7 messages more");

    say(0, 1);
    handed.await(NanoClock.SYSTEM.limit(LONG));
    assertThat(said).endsWith("message 0");
  }

  @Test
  void oneThatThrowsDoesNotDisturbTheNext() {
    handed.say(
        () -> {
          throw new NoClassDefFoundError("listener");
        });
    say(0, 1);
    handed.await(NanoClock.SYSTEM.limit(LONG));
    assertThat(said).containsExactly("message 0");
  }

  @Test
  void whoHearsAMessageDoesNotWaitForItself() {
    handed.say(
        () -> {
          handed.await(new TimeLimit(NanoClock.SYSTEM, Long.MAX_VALUE));
          said.add("heard");
        });
    handed.await(NanoClock.SYSTEM.limit(LONG));
    assertThat(said).containsExactly("heard");
  }

  @Test
  void itsThreadEndsWhenAllIsSaid() {
    say(0, 3);
    Await.until(
        "no thread",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("forebay-status")));
    assertThat(said).hasSize(3);
  }
}

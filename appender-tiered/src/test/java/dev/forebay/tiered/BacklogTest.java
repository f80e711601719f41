package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.observe.Levels;
import org.junit.jupiter.api.Test;

class BacklogTest {

  private static final byte[] BYTES = new byte[100];

  private final ILoggingEvent event = new LoggingEvent();

  @Test
  void whatIsBeingWrittenStillCounts() {
    Backlog backlog = new Backlog(1 << 20);
    assertThat(backlog.add(event, BYTES, BYTES.length, Levels.WARN)).isTrue();
    assertThat(backlog.add(event, BYTES, BYTES.length, Levels.WARN)).isTrue();
    assertThat(backlog.isUnsettled()).isFalse();

    assertThat(backlog.poll()).isNotNull();
    assertThat(backlog.poll()).isNotNull();
    assertThat(backlog.isEmpty()).isTrue();
    assertThat(backlog.size()).as("a flush waits for them").isEqualTo(2);
    assertThat(backlog.isUnsettled()).isTrue();

    backlog.settle();
    assertThat(backlog.size()).isZero();
    assertThat(backlog.poll()).isNull();
    assertThat(backlog.isUnsettled()).isFalse();
  }
}

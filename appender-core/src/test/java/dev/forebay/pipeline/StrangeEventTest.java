package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import dev.forebay.observe.Levels;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/** Events of other classes than Logback's, whose encoder could write them. */
class StrangeEventTest extends LogCalls {

  /** Has nothing that a line does not need. */
  private final class Bare extends LoggingEvent {
    Bare(String message) {
      super("", rig.context.getLogger("test"), Level.INFO, message, null, null);
    }

    @Override
    public @Nullable Map<String, String> getMDCPropertyMap() {
      return null;
    }

    @Override
    public void prepareForDeferredProcessing() {}

    @Override
    public IThrowableProxy getThrowableProxy() {
      return new ThrowableProxy(new IllegalStateException()) {
        @Override
        public ch.qos.logback.classic.spi.StackTraceElementProxy @Nullable []
            getStackTraceElementProxyArray() {
          return null;
        }
      };
    }
  }

  /** Refuses, or is of a time that knew no such methods. */
  private final class Refusing extends LoggingEvent {
    Refusing(String message) {
      super("", rig.context.getLogger("test"), Level.INFO, message, null, null);
    }

    @Override
    public Map<String, String> getMDCPropertyMap() {
      throw new UnsupportedOperationException("as if");
    }

    @Override
    public void prepareForDeferredProcessing() {}

    @Override
    public List<KeyValuePair> getKeyValuePairs() {
      throw new AbstractMethodError("as if");
    }

    @Override
    public List<Marker> getMarkerList() {
      throw new AbstractMethodError("as if");
    }

    @Override
    public String getThreadName() {
      throw new IllegalStateException("as if");
    }

    @Override
    public StackTraceElement[] getCallerData() {
      throw new UnsupportedOperationException("as if");
    }
  }

  @Test
  void areWritten() {
    Parts parts = new Parts(true, new CallDurability(Levels.COUNT, "AUDIT", TIMEOUT_NS));
    for (int i = 0; i < HELP_FROM / 2; i++) { // also above the mark from which the MDC is weighed
      parts.offer(new Bare("event " + 2 * i));
      parts.offer(new Refusing("event " + (2 * i + 1)));
    }
    parts.flusher.doWork();
    assertThat(sink.written).isEqualTo(messages(0, HELP_FROM));
  }
}

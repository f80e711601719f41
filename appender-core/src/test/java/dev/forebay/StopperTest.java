package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.forebay.host.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopperTest {

  @Test
  void aLogCallIsFoundInAJvmWhoseThrowablesHaveNoStack() throws Exception {
    assertThat(ChildJvm.run(List.of("-XX:-StackTraceInThrowable"), AsksInACall.class))
        .isEqualToIgnoringNewLines("false true");
  }

  /** Asks outside and inside of a log call. */
  static final class AsksInACall extends AppenderBase<ILoggingEvent> {

    private AsksInACall() {}

    @Override
    protected void append(ILoggingEvent event) {
      System.out.println(Stopper.isInLogCall());
    }

    public static void main(String[] args) {
      AsksInACall appender = new AsksInACall();
      appender.started = true;
      System.out.print(Stopper.isInLogCall() + " ");
      appender.doAppend(new LoggingEvent());
    }
  }
}

package dev.forebay.benchmarks.lab.child;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import java.util.concurrent.atomic.LongAdder;
import net.logstash.logback.appender.listener.AppenderListener;

/** The drops of a disruptor appender, which tells of them to listeners only. */
final class CountedDrops implements AppenderListener<ILoggingEvent> {

  private final LongAdder drops = new LongAdder();

  @Override
  public void eventAppendFailed(
      Appender<ILoggingEvent> appender, ILoggingEvent event, Throwable reason) {
    drops.increment();
  }

  long count() {
    return drops.sum();
  }
}

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.AppenderAttachable;
import dev.forebay.NonBlockingAppender;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Iterator;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/**
 * What becomes of log events, as meters of each Forebay appender. Copy it into a package of yours;
 * in Spring Boot a bean of it is enough: {@code @Bean MeterBinder forebayMetrics() { return new
 * ForebayMetrics(); }}
 */
public class ForebayMetrics implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    for (Logger logger : context.getLoggerList()) {
      bindAll(logger.iteratorForAppenders(), registry);
    }
  }

  /** Also those behind another appender. */
  private void bindAll(Iterator<? extends Appender<?>> appenders, MeterRegistry registry) {
    while (appenders.hasNext()) {
      Appender<?> appender = appenders.next();
      if (appender instanceof TieredAppender tiered) {
        bind(tiered, tiered.getName(), TieredAppender::snapshot, registry);
      } else if (appender instanceof NonBlockingAppender ring) {
        bind(ring, ring.getName(), NonBlockingAppender::snapshot, registry);
      }
      if (appender instanceof AppenderAttachable<?> parent) {
        bindAll(parent.iteratorForAppenders(), registry);
      }
    }
  }

  private <T> void bind(
      T appender, String name, Function<T, LedgerSnapshot> account, MeterRegistry registry) {
    FunctionCounter.builder("log.events.offered", appender, a -> account.apply(a).offered())
        .tag("appender", name)
        .register(registry);
    FunctionCounter.builder("log.events.delivered", appender, a -> account.apply(a).delivered())
        .tag("appender", name)
        .register(registry);
    for (DropReason reason : DropReason.values()) {
      FunctionCounter.builder("log.events.dropped", appender, a -> account.apply(a).dropped(reason))
          .tag("appender", name)
          .tag("reason", reason.name())
          .register(registry);
    }
    Gauge.builder("log.events.in.flight", appender, a -> account.apply(a).inFlight())
        .tag("appender", name)
        .register(registry);
  }
}

package dev.forebay.micrometer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.ConfigurationEvent;
import ch.qos.logback.core.spi.ConfigurationEventListener;
import dev.forebay.tiered.AppenderBeans;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * Meters of each appender of a Logback context: what becomes of its events. They follow a
 * reconfiguration of Logback and are removed when the context stops. Thread-safe.
 *
 * <p>{@code forebay.offered} is the sum of {@code forebay.events} over its outcomes, {@code
 * forebay.held} and {@code forebay.inflight}: all meters of one appender that are read without a
 * pause of 100 ms, within a second, are of one moment.
 */
public final class ForebayMetrics implements MeterBinder, AutoCloseable {

  private final LoggerContext context;
  private final Tags tags;
  private final Watch watch = new Watch();

  // Guarded by this.
  private final List<MeterRegistry> registries = new ArrayList<>();
  private final Map<Map.Entry<String, Appender<?>>, List<AppenderMeters>> bound = new HashMap<>();
  private final List<Runnable> removals = new ArrayList<>();

  /**
   * Meters of SLF4J's context, tagged with appender and context only.
   *
   * @throws IllegalStateException if SLF4J is not bound to Logback
   */
  public ForebayMetrics() {
    this(defaultContext(), List.of());
  }

  /**
   * Meters of any context.
   *
   * @param tags added to each meter
   */
  public ForebayMetrics(LoggerContext context, Iterable<Tag> tags) {
    this.context = context;
    this.tags = Tags.of(tags);
  }

  private static LoggerContext defaultContext() {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (factory instanceof LoggerContext logback) {
      return logback;
    }
    throw new IllegalStateException(
        "SLF4J is bound to %s: put Logback first on the class path"
            .formatted(factory.getClass().getName()));
  }

  /** Adds the meters to a registry; call it once for each. */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (registries.isEmpty()) {
      context.addListener(watch);
      context.addConfigurationEventListener(watch);
    }
    registries.add(registry);
    bindAgain();
  }

  /** Removes the meters from all registries and stops following the context. */
  @Override
  public synchronized void close() {
    context.removeListener(watch);
    context.removeConfigurationEventListener(watch);
    registries.clear();
    unbind();
  }

  private synchronized void bindAgain() {
    unbind();
    for (MeterRegistry registry : registries) {
      Gauge count =
          Gauge.builder("forebay.appenders", this, ForebayMetrics::look)
              .description("Appenders that run, or that loggers reach")
              .tags(allTags())
              .register(registry);
      removals.add(() -> registry.remove(count));
    }
    double unused = look();
  }

  private Tags allTags() {
    return tags.and("context", Objects.requireNonNullElse(context.getName(), "default"));
  }

  /** A sifting appender starts and stops appenders at any time. Returns how many there are. */
  private synchronized double look() {
    show(AppenderBeans.find(context).entrySet());
    return bound.size();
  }

  private void show(Set<Map.Entry<String, Appender<?>>> found) {
    for (Map.Entry<String, Appender<?>> gone : Set.copyOf(bound.keySet())) {
      if (!found.contains(gone)) {
        bound.remove(gone).forEach(AppenderMeters::remove);
      }
    }
    for (Map.Entry<String, Appender<?>> one : found) {
      bound.computeIfAbsent(
          one, of -> registries.stream().map(to -> new AppenderMeters(to, allTags(), of)).toList());
    }
  }

  private synchronized void unbind() {
    show(Set.of());
    removals.forEach(Runnable::run);
    removals.clear();
  }

  /**
   * A configuration from XML ends with an event; a program, and the first one, start the context.
   */
  private final class Watch implements LoggerContextListener, ConfigurationEventListener {

    @Override
    public boolean isResetResistant() {
      return true;
    }

    @Override
    public void onStart(LoggerContext started) {
      bindAgain();
    }

    @Override
    public void listen(ConfigurationEvent event) {
      if (event.getEventType() == ConfigurationEvent.EventType.CONFIGURATION_ENDED_SUCCESSFULLY) {
        context.removeListener(this); // a stop of the context has removed it, a reset has not
        context.addListener(this);
        bindAgain();
      }
    }

    @Override
    public void onReset(LoggerContext reset) {
      unbind();
    }

    @Override
    public void onStop(LoggerContext stopped) {
      unbind();
    }

    @Override
    public void onLevelChange(Logger logger, Level level) {}
  }
}

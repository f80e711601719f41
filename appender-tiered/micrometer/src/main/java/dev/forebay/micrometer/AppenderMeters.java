package dev.forebay.micrometer;

import ch.qos.logback.core.Appender;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.tiered.AppenderBeans;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one appender in one registry. Any thread reads. */
final class AppenderMeters {

  /** Begins {@code dropped.REASON.LEVEL} in the account. */
  private static final String DROPPED = "dropped.";

  /** Begins {@code redacted.RULE}. */
  private static final String REDACTED = "redacted.";

  /** A pause this long ends a reading; until then all meters show one moment. */
  private static final long PAUSE_NS = 100_000_000;

  /** A reading ends after this time even without a pause. */
  private static final long LONGEST_NS = 1_000_000_000;

  private final MeterRegistry registry;
  private final Tags tags;
  private final Appender<?> appender;
  private final List<Meter> meters = new CopyOnWriteArrayList<>();

  // Guarded by this.
  private @Nullable Map<String, Long> account;
  private long takenNs;
  private long readNs;
  private boolean isRemoved;

  AppenderMeters(MeterRegistry registry, Tags common, Map.Entry<String, Appender<?>> shown) {
    this.registry = registry;
    this.tags = common.and("appender", shown.getKey());
    this.appender = shown.getValue();
    Map<String, Long> first = account();
    counter("forebay.offered", "Log calls that passed level and filters", "offered");
    for (String outcome : List.of("delivered", "dropped", "limited", "expired")) {
      counter("forebay.events", "Events whose outcome is known", outcome, "outcome", outcome);
    }
    gauge("forebay.inflight", "Accepted, and not yet in the log", "inFlight");
    gauge("forebay.held", "In the flight recorder only", "held");
    gauge("forebay.ring", "Events in the ring", "ringFill");
    gauge("forebay.ring.capacity", "Slots of the ring", "ringCapacity");
    counter(
        "forebay.unconfirmed",
        "Durable calls that returned before their event was in the spool",
        "unconfirmed");
    meter(
        Gauge.builder("forebay.degraded", this, AppenderMeters::degraded)
            .description("1 while an output fails or a spool is missing")
            .tags(tags)
            .register(registry));
    if (first.containsKey("spoolBytes")) {
      gauge("forebay.spool", "Spool in use", "spoolBytes");
      gauge("forebay.spool.limit", "At which it is full", "spoolLimitBytes");
      counter("forebay.recovered", "Shipped for killed processes and earlier starts", "recovered");
      meter(
          TimeGauge.builder(
                  "forebay.longest.wait", this, TimeUnit.MILLISECONDS, value("longestWaitMillis"))
              .description("How long an event has waited at most to be in the log and forced")
              .tags(tags)
              .register(registry));
    }
    if (first.containsKey("dumps")) {
      gauge("forebay.recorder", "Flight recorder in use", "recorderBytes");
      counter("forebay.dumped", "Events copied to dumps", "dumpedEvents");
      counter("forebay.dumps", "Dumps asked for", "dumps", "outcome", "written");
      counter("forebay.dumps", "Dumps asked for", "failedDumps", "outcome", "failed");
    }
    if (first.containsKey("lostBytes")) {
      counter("forebay.jvm.lost", "Of the JVM's own log", "lostBytes");
    }
  }

  private void gauge(String name, String text, String key) {
    meter(
        Gauge.builder(name, this, value(key))
            .baseUnit(unit(key))
            .description(text)
            .tags(tags)
            .register(registry));
  }

  private void counter(String name, String text, String key, String... more) {
    meter(
        FunctionCounter.builder(name, this, value(key))
            .baseUnit(unit(key))
            .description(text)
            .tags(tags.and(more))
            .register(registry));
  }

  /** The unit of a number in the account; dumps and values have none. */
  private static @Nullable String unit(String key) {
    boolean isOther = key.equals("dumps") || key.equals("failedDumps") || key.startsWith(REDACTED);
    return isOther ? null : key.endsWith("Bytes") ? BaseUnits.BYTES : BaseUnits.EVENTS;
  }

  private void meter(Meter meter) {
    meters.add(meter);
  }

  private static ToDoubleFunction<AppenderMeters> value(String key) {
    return from -> from.account().getOrDefault(key, 0L);
  }

  private double degraded() {
    return AppenderBeans.of(appender).getDegraded().isEmpty() ? 0 : 1;
  }

  /** Adds a meter for each new reason and level of drops, or rule; all in advance would be many. */
  private synchronized Map<String, Long> account() {
    Map<String, Long> known = account;
    long nowNs = registry.config().clock().monotonicTime();
    boolean isOfThisReading = nowNs - readNs < PAUSE_NS && nowNs - takenNs < LONGEST_NS;
    readNs = nowNs;
    if (known != null && isOfThisReading) {
      return known;
    }
    AppenderMXBean bean = AppenderBeans.of(appender);
    Map<String, Long> fresh = withoutLimited(bean.getAccount());
    account = fresh;
    takenNs = nowNs;
    if (isRemoved) { // a caller kept a meter, or was reading while they were removed
      return fresh;
    }
    for (String key : fresh.keySet()) {
      boolean isNew = known == null || !known.containsKey(key);
      if (isNew && key.startsWith(REDACTED)) {
        counter(
            "forebay.redacted",
            "Values replaced by ***",
            key,
            "rule",
            key.substring(REDACTED.length()));
      } else if (isNew && key.startsWith(DROPPED)) {
        String[] reasonAndLevel = key.substring(DROPPED.length()).split("\\.", -1);
        counter(
            "forebay.dropped",
            "Events dropped",
            key,
            "reason",
            reasonAndLevel[0],
            "level",
            reasonAndLevel[1]);
      }
    }
    return fresh;
  }

  /** Drops by a {@code <limit>} are an outcome of their own here, since they are intended. */
  private static Map<String, Long> withoutLimited(Map<String, Long> account) {
    long limited = 0;
    for (Map.Entry<String, Long> each : account.entrySet()) {
      limited += each.getKey().startsWith(DROPPED + "LIMITED.") ? each.getValue() : 0;
    }
    Map<String, Long> split = new HashMap<>(account);
    split.put("limited", limited);
    split.put("dropped", account.getOrDefault("dropped", 0L) - limited);
    return split;
  }

  synchronized void remove() {
    isRemoved = true;
    meters.forEach(registry::remove);
  }
}

package dev.forebay;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import dev.forebay.observe.OutputHealth;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The appenders behind the ring, attached by {@code <appender-ref>}, each with its health. Attached
 * and detached by any thread; read by the flusher.
 */
final class AttachedAppenders {

  /** One attached appender. */
  record Attached(Appender<ILoggingEvent> appender, OutputHealth health) {

    /** The same one. The equals that Java makes would keep the class loader alive on JDK 17. */
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private final LongSupplier wallClockMs;
  private final AppenderAttachableImpl<ILoggingEvent> attachable = new AppenderAttachableImpl<>();

  /** Replaced under the lock of this; read by the flusher. */
  private volatile List<Attached> all = List.of();

  /** The newest start's, which alone may stop the appenders; written when it starts. */
  private volatile @Nullable DelegateSink owner;

  AttachedAppenders(LongSupplier wallClockMs) {
    this.wallClockMs = wallClockMs;
  }

  AppenderAttachableImpl<ILoggingEvent> attachable() {
    return attachable;
  }

  /** Whether what is handed to one appender comes to another, at once or through others. */
  static boolean leads(Appender<?> from, Appender<?> to) {
    return leads(from, to, new HashSet<>());
  }

  private static boolean leads(Appender<?> from, Appender<?> to, Set<Appender<?>> seen) {
    if (from == to) {
      return true;
    }
    boolean found = false;
    if (seen.add(from) && from instanceof AppenderAttachable<?> attachable) {
      for (Iterator<? extends Appender<?>> all = attachable.iteratorForAppenders();
          !found && all.hasNext(); ) {
        found = leads(all.next(), to, seen);
      }
    }
    return found;
  }

  synchronized void add(Appender<ILoggingEvent> appender) {
    attachable.addAppender(appender);
    refresh();
  }

  synchronized boolean detach(Appender<ILoggingEvent> appender) {
    boolean detached = attachable.detachAppender(appender);
    refresh();
    return detached;
  }

  synchronized boolean detach(String name) {
    boolean detached = attachable.detachAppender(name);
    refresh();
    return detached;
  }

  synchronized void detachAndStopAll() {
    attachable.detachAndStopAllAppenders();
    refresh();
  }

  /** Gives every appender a fresh health; what went wrong before a start is told already. */
  synchronized void forgetHealth() {
    all = all.stream().map(to -> new Attached(to.appender(), healthOf(to.appender()))).toList();
  }

  /**
   * The appenders belong to this sink from now on: a flusher that hung in one of them when its own
   * time was over must not stop them later.
   */
  void handTo(DelegateSink next) {
    owner = next;
  }

  boolean belongTo(DelegateSink sink) {
    return owner == sink;
  }

  /** Starts an appender that was stopped for an earlier owner, if the present one uses it. */
  void startForOwner(Appender<ILoggingEvent> appender) {
    DelegateSink using = owner;
    if (using != null && using.isOpen() && !appender.isStarted()) {
      appender.start();
    }
  }

  private void refresh() {
    List<Attached> before = all;
    List<Attached> now = new ArrayList<>();
    attachable
        .iteratorForAppenders()
        .forEachRemaining(
            appender ->
                now.add(
                    before.stream()
                        .filter(known -> known.appender() == appender)
                        .findFirst()
                        .orElseGet(() -> new Attached(appender, healthOf(appender)))));
    all = List.copyOf(now);
  }

  private OutputHealth healthOf(Appender<ILoggingEvent> appender) {
    return new OutputHealth("appender [" + appender.getName() + "]", wallClockMs);
  }

  List<Attached> all() {
    return all;
  }
}

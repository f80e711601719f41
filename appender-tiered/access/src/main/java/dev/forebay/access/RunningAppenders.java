package dev.forebay.access;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.spi.LifeCycle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The running appenders of a context, registered with it because Tomcat's valve stops only what is
 * registered. One object for all of them: a context never forgets a registration and is not
 * thread-safe, and a sifting appender starts and stops appenders while requests are served.
 */
final class RunningAppenders implements LifeCycle {

  private static final String NAME = RunningAppenders.class.getName();

  private final Set<Appender<?>> all = ConcurrentHashMap.newKeySet();

  private RunningAppenders() {}

  /** Adds an appender, or removes it if it does not run. Any thread; waits for nothing slow. */
  static synchronized void note(Appender<?> appender) {
    Context context = appender.getContext();
    if (context == null) {
      return;
    }
    RunningAppenders known =
        context.getObject(NAME) instanceof RunningAppenders found ? found : new RunningAppenders();
    if (!appender.isStarted()) {
      known.all.remove(appender);
    } else if (known.all.add(appender)) {
      context.putObject(NAME, known);
      context.register(known); // again, since a reset forgets it
    }
  }

  @Override
  public boolean isStarted() {
    return !all.isEmpty();
  }

  /** Has no effect: each appender starts by itself. */
  @Override
  public void start() {}

  @Override
  public void stop() {
    all.forEach(Appender::stop);
  }
}

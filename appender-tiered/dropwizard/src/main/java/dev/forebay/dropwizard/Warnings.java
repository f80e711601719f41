package dev.forebay.dropwizard;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.status.OnErrorConsoleStatusListener;
import ch.qos.logback.core.status.Status;

/**
 * Prints what an appender warns of: Dropwizard prints statuses only if there is an ERROR when it
 * configures Logback. For the threads that add statuses.
 */
final class Warnings extends OnErrorConsoleStatusListener {

  private final Appender<?> appender;

  Warnings(Appender<?> appender) {
    this.appender = appender;
    setContext(appender.getContext());
    setRetrospective(0); // what others have said before is not printed
  }

  @Override
  public void addStatusEvent(Status status) {
    if (status.getOrigin() == appender && status.getEffectiveLevel() >= Status.WARN) {
      super.addStatusEvent(status);
    }
  }
}

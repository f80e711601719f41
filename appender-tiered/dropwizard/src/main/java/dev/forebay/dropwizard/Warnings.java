package dev.forebay.dropwizard;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.Statuses;

/**
 * Prints what an appender warns of: Dropwizard prints statuses only if there is an ERROR when it
 * configures Logback. Called by the threads that add statuses, often those that ship, which a pipe
 * must not hold up.
 */
record Warnings(Appender<?> appender) implements StatusListener {

  @Override
  public void addStatusEvent(Status status) {
    if (status.getOrigin() == appender && status.getEffectiveLevel() >= Status.WARN) {
      Statuses.print(status.toString());
    }
  }
}

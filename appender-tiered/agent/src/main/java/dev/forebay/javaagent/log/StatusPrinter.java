package dev.forebay.javaagent.log;

import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.observe.Printable;
import dev.forebay.observe.StandardError;

/** Prints warnings and errors of the agent's context: nobody else listens to it. Never blocks. */
final class StatusPrinter implements StatusListener {

  @Override
  public void addStatusEvent(Status status) {
    if (status.getLevel() >= Status.WARN) {
      Throwable cause = status.getThrowable();
      String text = status.getMessage() + (cause == null ? "" : ": " + cause);
      StandardError.printLater(Printable.text(JvmLog.NAME + ": " + text));
    }
  }
}

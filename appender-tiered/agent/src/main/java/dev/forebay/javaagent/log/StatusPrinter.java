package dev.forebay.javaagent.log;

import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.observe.Printable;
import dev.forebay.observe.StandardError;
import java.util.regex.Pattern;

/** Prints warnings and errors of the agent's context: nobody else listens to it. Never blocks. */
final class StatusPrinter implements StatusListener {

  private static final Pattern ELEMENT =
      Pattern.compile("<(" + String.join("|", Arguments.NAMES) + ")>");

  @Override
  public void addStatusEvent(Status status) {
    if (status.getLevel() >= Status.WARN) {
      Throwable cause = status.getThrowable();
      String text = asArgument(status.getMessage()) + (cause == null ? "" : ": " + cause);
      StandardError.printLater(Printable.text(JvmLog.NAME + ": " + text));
    }
  }

  /** The agent's arguments have no brackets, and colons where lists have commas. */
  static String asArgument(String text) {
    return ELEMENT.matcher(text).replaceAll("$1").replaceAll("(?<=\\S),(?=\\S)", ":");
  }
}

package dev.forebay.tiered.jvm;

/** The JVM's log cannot be steered. */
public final class VmLogException extends Exception {

  private static final long serialVersionUID = 1;

  VmLogException(String message, Throwable cause) {
    super(message, cause);
  }
}

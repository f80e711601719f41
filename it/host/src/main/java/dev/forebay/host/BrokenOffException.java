package dev.forebay.host;

/** The run was interrupted and is being cleaned up: nothing that is seen now counts. */
public final class BrokenOffException extends RuntimeException {

  private static final long serialVersionUID = 1;

  BrokenOffException() {
    super("Interrupted; what was started is being removed");
  }
}

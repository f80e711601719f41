package dev.forebay.benchmarks.lab.host;

/** The lab was interrupted and is being cleaned up: nothing that is seen now counts. */
final class BrokenOffException extends RuntimeException {

  private static final long serialVersionUID = 1;

  BrokenOffException() {
    super("The lab is ending");
  }
}

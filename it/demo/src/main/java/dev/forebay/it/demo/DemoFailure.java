package dev.forebay.it.demo;

/** The demo cannot go on; the message is all the user sees. */
final class DemoFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DemoFailure(String message) {
    super(message);
  }

  DemoFailure(String message, Throwable cause) {
    super(message + ": " + cause, cause);
  }
}

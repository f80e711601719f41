package dev.forebay.boot;

import java.io.Serial;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Boot show which property stops the start, without stack traces. Loaded only then. */
final class RefusedStart extends AbstractFailureAnalyzer<RefusedStart.Refused> {

  /** Without a stack: Boot prints it before it asks for an analysis. */
  static final class Refused extends IllegalStateException {

    @Serial private static final long serialVersionUID = 1;

    private Refused(String text) {
      super(text);
      setStackTrace(new StackTraceElement[0]);
    }
  }

  RefusedStart() {}

  /** An exception of a type that the verifier of its thrower knows: none more at a start. */
  static IllegalStateException of(String text) {
    return new Refused(text);
  }

  @Override
  protected FailureAnalysis analyze(Throwable failure, Refused cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()), "Write what the description says.", cause);
  }
}

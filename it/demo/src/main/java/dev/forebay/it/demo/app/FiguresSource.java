package dev.forebay.it.demo.app;

/** Reads figures from the watched appender. Called on threads that never log. */
interface FiguresSource {

  /** The figures now. */
  Figures read();

  /** Asks the appender to empty itself and waits for that, at most this long. */
  void flush(long timeoutMs);

  /** The newest failure in the appender's own words, "" when there is none or it does not say. */
  String lastError();
}

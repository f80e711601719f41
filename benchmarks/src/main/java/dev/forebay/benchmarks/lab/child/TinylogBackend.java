package dev.forebay.benchmarks.lab.child;

import org.slf4j.LoggerFactory;
import org.tinylog.provider.ProviderRegistry;

/** Tinylog, whose writing thread takes events from a queue without a bound. */
final class TinylogBackend implements Backend {

  /** Starts it. */
  TinylogBackend() {
    String factory = LoggerFactory.getILoggerFactory().getClass().getName();
    if (!factory.startsWith("org.tinylog.")) {
      throw new IllegalStateException("Not tinylog: " + factory);
    }
    ProviderRegistry.getLoggingProvider();
  }

  @Override
  public void stop() {
    try {
      ProviderRegistry.getLoggingProvider().shutdown();
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted while tinylog was stopped", e);
    }
  }
}

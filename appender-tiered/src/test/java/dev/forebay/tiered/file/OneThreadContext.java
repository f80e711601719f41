package dev.forebay.tiered.file;

import static java.util.concurrent.TimeUnit.SECONDS;

import ch.qos.logback.classic.LoggerContext;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;

/**
 * Has the policies do at once what they do in the background. Logback's removers share a calendar
 * with the trigger that is not made for two threads: with a roll each millisecond they delete the
 * wrong day now and then.
 */
final class OneThreadContext extends LoggerContext {
  /** It gets no thread, so that the caller runs what it is given. */
  private final ExecutorService executor =
      new ThreadPoolExecutor(
          0, 1, 0, SECONDS, new SynchronousQueue<>(), task -> null, new CallerRunsPolicy());

  @Override
  public ExecutorService getExecutorService() {
    return executor;
  }

  @Override
  public ExecutorService getAlternateExecutorService() {
    return executor;
  }
}

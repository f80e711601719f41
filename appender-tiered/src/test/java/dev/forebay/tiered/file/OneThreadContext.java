package dev.forebay.tiered.file;

import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Has the policies do at once what they do in the background. Logback's removers share a calendar
 * with the trigger that is not made for two threads: with a roll each millisecond they delete the
 * wrong day now and then.
 */
final class OneThreadContext extends LoggerContext {
  private final ExecutorService executor = new AtOnce();

  @Override
  public ExecutorService getExecutorService() {
    return executor;
  }

  @Override
  public ExecutorService getAlternateExecutorService() {
    return executor;
  }

  private static final class AtOnce extends AbstractExecutorService {
    private boolean shutdown;

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {
      shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      shutdown();
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return shutdown;
    }

    @Override
    public boolean isTerminated() {
      return shutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return shutdown;
    }
  }
}

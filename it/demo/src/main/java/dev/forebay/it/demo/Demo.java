package dev.forebay.it.demo;

import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import java.io.IOException;
import java.time.Duration;

/**
 * Main class of the demo. Whatever ends it, the end of the run, a failure, a time limit or Ctrl-C,
 * goes through {@link Cleanup} first.
 */
public final class Demo {

  private static final long RUN_LIMIT_MS = 150_000;
  private static final long CLEANUP_LIMIT_MS = 45_000;

  private Demo() {}

  /** Runs the demo; takes no arguments. */
  public static void main(String[] args) {
    Cleanup cleanup = new Cleanup();
    Thread interruption = new Thread(() -> endEarly(cleanup), "demo-interruption");
    Runtime.getRuntime().addShutdownHook(interruption);
    daemon(Demo::limitRun, "demo-limit");
    int exitCode = run(cleanup);
    if (!cleanup.isClosed()) {
      cleanUpWithLimit(cleanup);
    }
    System.exit(exitCode);
  }

  private static int run(Cleanup cleanup) {
    try {
      return new DemoRun(cleanup).run();
    } catch (IOException | RuntimeException e) {
      if (!cleanup.isClosed()) {
        System.err.println();
        System.err.println(e instanceof DemoFailure ? e.getMessage() : "The demo failed: " + e);
      }
      return 1;
    }
  }

  /** Runs at every end; it has nothing to do when the main thread has cleaned up. */
  private static void endEarly(Cleanup cleanup) {
    if (!cleanup.isClosed()) {
      System.err.println();
      System.err.println("Ended early; thawing the disk and removing what was started.");
    }
    cleanUpWithLimit(cleanup);
  }

  private static void limitRun() {
    Await.pass(Duration.ofMillis(RUN_LIMIT_MS));
    System.err.println("The demo took more than " + RUN_LIMIT_MS / 1000 + " s and was ended.");
    System.exit(1);
  }

  /** Cleans up, but does not let a disk that cannot be thawed keep this JVM for ever. */
  private static void cleanUpWithLimit(Cleanup cleanup) {
    daemon(
        () -> {
          Await.pass(Duration.ofMillis(CLEANUP_LIMIT_MS));
          System.err.println("Cleaning up took more than " + CLEANUP_LIMIT_MS / 1000 + " s.");
          Runtime.getRuntime().halt(1);
        },
        "demo-cleanup-limit");
    cleanup.closeAndReport();
  }

  private static void daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }
}

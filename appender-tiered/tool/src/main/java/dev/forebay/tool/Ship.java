package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.ShipService;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Ships what other processes spool. */
@Command(
    name = "ship",
    description =
        "Ship what appenders with <shipping>apart</shipping> and dead processes spool, until SIGTERM. As root, for each user by a process of that user.")
final class Ship implements Callable<Integer> {

  static final String SUPERVISED = "--supervised";

  /** Of the hook, beyond the grace time. */
  private static final long MARGIN_S = 1;

  private static final long LAST_MESSAGES_MS = 500;
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  @Option(names = "--once", description = "End when what is there at the start is shipped.")
  private boolean isOnce;

  @Option(
      names = "--until-drained",
      description = "End when no live process has a spool and nothing is left.")
  private boolean isUntilDrained;

  @Option(names = "--verbose", description = "Print a status line each minute.")
  private boolean isVerbose;

  @Option(
      names = "--metrics",
      paramLabel = "ADDRESS",
      description = "Serve Prometheus at unix:/path/of/socket or 127.0.0.1:port.")
  private @Nullable String metrics;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "25s",
      description =
          "How long SIGTERM waits at most for what is spooled; ${DEFAULT-VALUE} by default.")
  private String grace = "";

  @Option(
      names = SUPERVISED,
      hidden = true,
      description = "End with the standard input, and answer what is asked there.")
  private boolean isSupervised;

  @Spec private CommandSpec verb = CommandSpec.create();

  private final Disk disk = NioDisk.current();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (isOnce && isUntilDrained) {
      throw new ToolException(Main.USAGE, "--once and --until-drained exclude each other");
    }
    Duration limit = Times.parse("--grace", grace, SHORTEST, LONGEST);
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    int[] exitCode = {Main.FAILED};
    Thread hook = new Thread(() -> end(stop, done, limit, exitCode), "forebay-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      exitCode[0] = run(limit, stop);
    } finally {
      done.countDown();
      removeQuietly(hook);
    }
    return exitCode[0];
  }

  /** After a signal Java would end with its own exit code, and at once. */
  private static void end(
      CountDownLatch stop, CountDownLatch done, Duration limit, int[] exitCode) {
    stop.countDown();
    try {
      boolean unused = done.await(limit.toSeconds() + MARGIN_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts it.
    }
    Runtime.getRuntime().halt(exitCode[0]);
  }

  private static void removeQuietly(Thread hook) {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs.
    }
  }

  private int run(Duration limit, CountDownLatch stop) throws IOException, InterruptedException {
    Messages messages = new Messages(output::note);
    Shipping shipping = shipping(messages);
    try (MetricsServer server = server(shipping)) {
      if (server != null) {
        server.start();
        messages.info("metrics at " + server.where());
      }
      if (isSupervised) {
        answerParent(shipping, stop);
      }
      ShipRun.Until until =
          isOnce
              ? ShipRun.Until.ONCE
              : isUntilDrained ? ShipRun.Until.DRAINED : ShipRun.Until.STOPPED;
      ShipStatus status = new ShipStatus(output, isVerbose, messages, InstantSource.system());
      ShipRun.Ending ending = new ShipRun.Ending(until, limit, isSupervised);
      return new ShipRun(shipping, ending, status, messages, Pauses.of(stop), NanoClock.SYSTEM)
          .run();
    } finally {
      messages.close(LAST_MESSAGES_MS);
    }
  }

  private Shipping shipping(Messages messages) throws IOException {
    List<Path> bases = places.directories();
    Shipping own = Shipping.of(new ShipService(disk, bases, messages));
    if (disk.userId() != 0 || isSupervised) {
      return own;
    }
    UserProcesses children =
        UserProcesses.like(verb.root().commandLine().getParseResult().originalArgs(), bases, grace);
    return new NodeShipping(
        own, new SpoolUsers(bases, messages::warn), children, messages, NanoClock.SYSTEM);
  }

  private @Nullable MetricsServer server(Shipping shipping) throws IOException {
    return metrics == null
        ? null
        : new MetricsServer(
            MetricsAddress.parse(metrics), () -> MetricsText.of(shipping), NanoClock.SYSTEM);
  }

  /** A parent that ends, however it does, ends this too. */
  private void answerParent(Shipping shipping, CountDownLatch stop) {
    Thread thread =
        new Thread(
            () -> {
              try (FileInputStream questions = new FileInputStream(FileDescriptor.in)) {
                ShipPipe.answer(questions, verb.commandLine().getOut(), shipping);
              } catch (IOException e) {
                // As at its end.
              }
              stop.countDown();
            },
            "forebay-parent");
    thread.setDaemon(true);
    thread.start();
  }
}

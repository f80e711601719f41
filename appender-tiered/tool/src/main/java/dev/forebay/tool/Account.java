package dev.forebay.tool;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The account of a live appender: what became of every event. */
@Command(
    name = "account",
    description =
        "Show what became of every event: offered = delivered + dropped + expired + held + inFlight.")
final class Account implements Callable<Integer> {

  private static final long BETWEEN_NS = TimeUnit.SECONDS.toNanos(1);

  @Mixin private Output output = new Output();
  @Mixin private Steering steering = new Steering();

  @Option(names = "--watch", description = "Show it every second, until the process ends.")
  private boolean watch;

  private final InstantSource clock = InstantSource.system();

  @Override
  public Integer call() throws IOException {
    List<Path> spools = steering.spools();
    print(spools);
    while (watch && output.isHeard()) {
      LockSupport.parkNanos(BETWEEN_NS);
      steering.again();
      print(spools);
    }
    return ExitCode.OK;
  }

  private void print(List<Path> spools) throws IOException {
    String time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    for (Path spool : spools) {
      List<String> lines = steering.ask(spool, "account");
      if (output.isJson()) {
        output.json(json(time, spool, lines));
      } else {
        if (watch) {
          output.line(time);
        }
        lines.forEach(line -> output.line(row(line)));
        output.line("");
      }
    }
  }

  static String row(String line) {
    String name = name(line);
    long value = Long.parseLong(value(line));
    return String.format(
        "%-24s %14s", name, name.endsWith("Bytes") ? Text.bytes(value) : Text.count(value));
  }

  private static Json json(String time, Path spool, List<String> lines) {
    Json json = new Json().put("time", time).put("spool", spool.toString());
    lines.forEach(line -> json.put(name(line), Long.parseLong(value(line))));
    return json;
  }

  private static String name(String line) {
    return line.substring(0, line.lastIndexOf(' '));
  }

  private static String value(String line) {
    return line.substring(line.lastIndexOf(' ') + 1);
  }
}

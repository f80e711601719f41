package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.control.ControlClient;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The live appenders of a target, and what they are asked. A mixin of the verbs that do. */
final class Steering {

  /** For all that a verb asks: more than an appender takes for a flush or a roll. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);

  /** Of verbs that do more than ask: a JVM that is stopped gives no account. */
  static final long SHORT_PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

  /** Begins the line of an account that says what fails now. */
  static final String DEGRADED = "degraded ";

  private static final long BETWEEN_NS = TimeUnit.SECONDS.toNanos(1);
  private static final List<String> LEVELS =
      List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF");
  private static final Map<String, String> IN_WORDS =
      Map.of(
          "flushed true", "all that was logged before is in the log",
          "flushed false", "not all is in the log after 10 s; account shows what waits, and why");
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  @Mixin private Places places = new Places();

  @Parameters(index = "0", paramLabel = "TARGET", description = Main.TARGET)
  private String target = "";

  private final InstantSource clock = InstantSource.system();
  private long deadlineNs = NanoClock.SYSTEM.nanoTime() + PATIENCE_NS;

  /** The spools of the target whose processes can be asked, each with its log: at least one. */
  private Map<Path, LogSpools> spools() throws IOException {
    Map<Path, LogSpools> spools = new LinkedHashMap<>();
    for (LogSpools log : places.find(target)) {
      for (SpoolFacts spool : log.shipped()) {
        if (canBeAsked(spool)) {
          spools.put(spool.path(), log);
        }
      }
    }
    if (spools.isEmpty()) {
      throw ToolException.notFound(
          "no live appender of %s can be steered: its process has ended, its spool is in the heap, or it has <control>false</control>"
              .formatted(target));
    }
    return spools;
  }

  private List<String> ask(Path spool, String request) throws IOException {
    return ask(spool, request, deadlineNs - NanoClock.SYSTEM.nanoTime());
  }

  /** What the owner of a spool says; a refusal ends the verb. */
  static List<String> ask(Path spool, String request, long patienceNs) throws IOException {
    try {
      return ControlClient.ask(spool, request, Math.max(0, patienceNs));
    } catch (IllegalStateException e) {
      throw ToolException.refused(String.valueOf(e.getMessage()));
    }
  }

  /** Sends one request to all appenders, and prints each answer. */
  int askAll(Output output, String request) throws IOException {
    int exitCode = Main.OK;
    for (Path spool : spools().keySet()) {
      for (String line : ask(spool, request)) {
        String text = line.startsWith("done ") ? line.substring("done ".length()) : line;
        output.print(
            new Json().put("spool", spool.toString()).put("done", text),
            IN_WORDS.getOrDefault(text, text));
        exitCode = line.equals("flushed false") ? Main.FINDINGS : exitCode;
      }
    }
    return exitCode;
  }

  /** Sets a level, for LOGGER=LEVEL. */
  int level(Output output, String wanted, String time) throws IOException {
    int equals = wanted.lastIndexOf('=');
    if (equals <= 0) {
      throw new ToolException(Main.USAGE, "\"" + wanted + "\" sets no level: write LOGGER=LEVEL");
    }
    String level = wanted.substring(equals + 1).toUpperCase(Locale.ROOT);
    if (!LEVELS.contains(level)) {
      throw new ToolException(
          Main.USAGE,
          "\"" + wanted + "\" sets no level: write one of " + String.join(", ", LEVELS));
    }
    return askAll(
        output,
        "level "
            + level
            + " "
            + Times.parse("--for", time, SHORTEST, LONGEST).toSeconds()
            + " "
            + wanted.substring(0, equals));
  }

  /** Prints the accounts, every second if they are watched, until the process ends. */
  int account(Output output, boolean isWatched) throws IOException {
    Map<Path, LogSpools> spools = spools();
    do {
      deadlineNs = NanoClock.SYSTEM.nanoTime() + PATIENCE_NS;
      List<Json> accounts = accounts(spools); // if the process has ended, the last ones stay
      if (isWatched) {
        output.redraw(Ansi.AUTO.enabled());
      }
      accounts.forEach(output::print);
      LockSupport.parkNanos(isWatched ? BETWEEN_NS : 0);
    } while (isWatched && output.isHeard());
    return Main.OK;
  }

  /** Adds a line of an account: a counter, or what fails in words. */
  private static void put(Json account, String line) {
    int space = line.indexOf(' ');
    String value = line.substring(space + 1);
    account.put(line.substring(0, space), value.matches("-?\\d+") ? Long.valueOf(value) : value);
  }

  /** Adds what fails, if the owner of the spool can be asked. */
  static Json putFailures(Json json, SpoolFacts spool) {
    try {
      if (canBeAsked(spool)) {
        ask(spool.path(), "account", SHORT_PATIENCE_NS).stream()
            .filter(line -> line.startsWith(DEGRADED) || line.startsWith("lastError "))
            .forEach(line -> put(json, line));
      }
    } catch (IOException | ToolException e) {
      json.put("degraded", e.getMessage());
    }
    return json;
  }

  private static boolean canBeAsked(SpoolFacts spool) {
    return spool.owner().isHeld() && ControlClient.isPresent(spool.path());
  }

  private List<Json> accounts(Map<Path, LogSpools> spools) throws IOException {
    List<Json> accounts = new ArrayList<>();
    String time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    for (Path spool : spools.keySet()) {
      LogSpools log = Objects.requireNonNull(spools.get(spool));
      Json account = new Json().put("time", time).put("spool", spool.toString());
      if (log.shipperNote() != null) {
        account.put("shipper", SpoolReport.process(log.shipper()));
      }
      for (String line : ask(spool, "account")) {
        put(account, line);
      }
      accounts.add(account);
    }
    return accounts;
  }
}

package dev.forebay.tiered.control;

import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.Printable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The protocol: a line is a verb and its values; an answer is {@code ok} and lines with a name and
 * a value, or {@code error} and why, and ends with an empty line. Any thread.
 */
record Requests(ControlMXBean control) implements UnaryOperator<String> {

  static final String OK = "ok";
  static final String ERROR = "error ";

  /** Ends an answer, so that one that was cut is not taken for a whole one. */
  static final String END = "\n";

  private static final long MAX_FLUSH_MS = 60_000;
  private static final int LEVEL_VALUES = 3;

  /** The answer to a line, with its line ends. */
  @Override
  public String apply(String line) {
    try {
      return OK + "\n" + result(line.strip()) + END;
    } catch (IllegalArgumentException | IllegalStateException e) {
      return error(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) { // of foreign code: a listener of levels
      return error(e.toString());
    }
  }

  static String error(String text) {
    return ERROR + Printable.text(text) + "\n" + END;
  }

  private String result(String line) {
    int space = line.indexOf(' ');
    String verb = space < 0 ? line : line.substring(0, space);
    String values = space < 0 ? "" : line.substring(space + 1).strip();
    return switch (verb) {
      case "account" -> account();
      case "levels" -> lines(control.getLevels());
      case "level" -> level(values);
      case "rotate" -> done(control::rotate);
      case "flush" -> flush(values);
      case "dump" -> done(() -> control.dump(values.isEmpty() ? "asked" : values));
      default ->
          throw new IllegalArgumentException(
              "\"%s\" is no request: write account, levels, level LEVEL SECONDS LOGGER, rotate, flush MILLISECONDS or dump REASON, and a line end"
                  .formatted(verb));
    };
  }

  /** The counters; then, in words, what fails and what failed last. */
  private String account() {
    Map<String, Object> account = new LinkedHashMap<>(control.getAccount());
    account.put("degraded", control.getDegraded());
    account.put("lastError", control.getLastError());
    account.values().removeIf(""::equals); // nothing is
    return lines(account);
  }

  private String level(String values) {
    String[] parts = values.split(" +", LEVEL_VALUES);
    if (parts.length < LEVEL_VALUES) {
      throw new IllegalArgumentException("write level LEVEL SECONDS LOGGER");
    }
    long seconds = number("SECONDS", parts[1]);
    int bounded = (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, seconds));
    return done(() -> control.setLevel(parts[2], parts[0], bounded));
  }

  private String flush(String values) {
    long ms = values.isEmpty() ? 0 : number("MILLISECONDS", values);
    if (ms < 0 || ms > MAX_FLUSH_MS) {
      throw new IllegalArgumentException(
          "flush takes %d ms: must be 0 to %d".formatted(ms, MAX_FLUSH_MS));
    }
    return "flushed " + control.flush(ms) + "\n";
  }

  private static long number(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is \"" + text + "\": must be a number", e);
    }
  }

  private static String done(Supplier<String> request) {
    return "done " + Printable.text(request.get()) + "\n";
  }

  private static String lines(Map<String, ?> values) {
    StringJoiner lines = new StringJoiner("\n", "", "\n").setEmptyValue("");
    values.forEach((name, value) -> lines.add(Printable.text(name + " " + value)));
    return lines.toString();
  }
}

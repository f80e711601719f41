package dev.forebay.tool;

import dev.forebay.observe.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Where a verb prints, and in which form: results to standard output, as text or as one JSON value
 * a line; messages to standard error. A {@link Mixin} of every verb.
 */
final class Output {

  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

  @Option(names = "--json", description = "Print JSON, one value a line.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb = CommandSpec.create();

  boolean isJson() {
    return json;
  }

  /** Prints a result as JSON, or as this text; without a text, as lines of names and values. */
  void print(Json result, String... text) {
    if (json) {
      out().println(result);
    } else {
      (text.length == 0 ? result.lines() : List.of(text)).forEach(this::line);
    }
  }

  /**
   * Prints what is watched: on a terminal in the place of what was there, elsewhere as a line each.
   */
  void printWatched(List<Json> now) {
    if (json) {
      now.forEach(out()::println);
    } else {
      out().print(watched(now, isTerminal(STANDARD_OUTPUT)));
    }
  }

  static String watched(List<Json> now, boolean onTerminal) {
    StringBuilder text = new StringBuilder(onTerminal ? HOME_AND_CLEAR : "");
    for (Json one : now) {
      List<String> lines = one.lines().stream().map(Printable::text).toList();
      text.append(
          onTerminal ? String.join("\n", lines) : String.join(", ", lines).replaceAll(" +", " "));
      text.append('\n');
    }
    return text.toString();
  }

  /** What {@code System.console} says depends on standard input and the JDK. */
  static boolean isTerminal(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().matches("/dev/(pts/|tty|console).*");
    } catch (IOException e) {
      return false;
    }
  }

  /** A line of text with whatever is in names and messages made printable. */
  void line(String text) {
    out().println(Printable.text(text));
  }

  /** Whether someone still reads what is printed. */
  boolean isHeard() {
    return !out().checkError();
  }

  /** A line on standard error, for people only. */
  void note(String text) {
    PrintWriter err = verb.commandLine().getErr();
    err.println("forebay: " + Printable.text(text));
    err.flush();
  }

  private PrintWriter out() {
    return verb.commandLine().getOut();
  }
}

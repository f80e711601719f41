package dev.forebay.tool;

import dev.forebay.observe.Printable;
import java.io.PrintWriter;
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

  @Option(names = "--json", description = "Print JSON, one value a line.")
  private boolean json;

  private boolean inLines;

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
      List<String> lines = text.length == 0 ? result.lines() : List.of(text);
      (inLines ? List.of(String.join(", ", lines).replaceAll(" +", " ")) : lines)
          .forEach(this::line);
    }
  }

  /** What follows takes the place of what a terminal shows; elsewhere each result is a line. */
  void redraw(boolean onTerminal) {
    inLines = !onTerminal;
    if (onTerminal && !json) {
      out().print("\u001b[H\u001b[2J");
    }
  }

  /** A line of text with whatever is in names and messages made printable. */
  void line(String text) {
    out().println(Printable.text(text));
  }

  /** Whether the printed text still has a reader. */
  boolean isHeard() {
    return !out().checkError();
  }

  /** A line on standard error, for people only. */
  void note(String text) {
    verb.commandLine().getErr().println("forebay: " + Printable.text(text));
  }

  private PrintWriter out() {
    return verb.commandLine().getOut();
  }
}

package dev.forebay.tool;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Waits until what a live appender has taken so far is in its log. */
@Command(
    name = "flush",
    description = "Wait, at most 10 s, until what was logged so far is in the log.")
final class Flush implements Callable<Integer> {

  private static final int PATIENCE_MS = 10_000;

  @Mixin private Output output = new Output();
  @Mixin private Steering steering = new Steering();

  @Override
  public Integer call() throws IOException {
    boolean isDone = true;
    for (Path spool : steering.spools()) {
      boolean flushed = steering.ask(spool, "flush " + PATIENCE_MS).equals(List.of("flushed true"));
      isDone &= flushed;
      if (output.isJson()) {
        output.json(new Json().put("spool", spool.toString()).put("flushed", flushed));
      } else {
        output.line(flushed ? "flushed" : "not in the log after 10 s; \"account\" shows how much");
      }
    }
    return isDone ? ExitCode.OK : ExitCode.FINDINGS;
  }
}

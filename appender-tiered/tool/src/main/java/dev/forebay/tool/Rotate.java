package dev.forebay.tool;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Rolls a live appender's log. */
@Command(name = "rotate", description = "Roll the log file of a live appender now.")
final class Rotate implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private Steering steering = new Steering();

  @Override
  public Integer call() throws IOException {
    return steering.askAll(output, "rotate");
  }
}

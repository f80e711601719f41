package dev.forebay.tool;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Has a live appender write what its flight recorder holds. */
@Command(name = "dump", description = "Write what a live appender's flight recorder holds.")
final class Dump implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private Steering steering = new Steering();

  @Option(names = "--reason", paramLabel = "TEXT", description = "Part of the file's name.")
  private String reason = "";

  @Override
  public Integer call() throws IOException {
    return steering.askAll(output, ("dump " + reason).strip());
  }
}

package dev.forebay.tool;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets the level of a logger for a time, or shows all that are set. */
@Command(
    name = "level",
    description = "Set the level of a logger for a time, or show all levels that are set.")
final class LevelVerb implements Callable<Integer> {

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  @Mixin private Output output = new Output();
  @Mixin private Steering steering = new Steering();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "LOGGER=LEVEL",
      description = "Such as com.example=DEBUG or ROOT=TRACE; without it, show all levels.")
  private String wanted = "";

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long, 1s to 1h; ${DEFAULT-VALUE} by default.")
  private String time = "60s";

  @Override
  public Integer call() throws IOException {
    if (wanted.isEmpty()) {
      return steering.askAll(output, "levels");
    }
    int equals = wanted.lastIndexOf('=');
    if (equals <= 0) {
      throw new ToolException(
          ExitCode.USAGE, "\"" + wanted + "\" sets no level: write LOGGER=LEVEL");
    }
    return steering.askAll(
        output,
        "level %s %d %s"
            .formatted(
                wanted.substring(equals + 1).toUpperCase(Locale.ROOT),
                seconds(),
                wanted.substring(0, equals)));
  }

  private long seconds() {
    Duration duration = Moment.duration(time.matches("\\d+") ? time + "s" : time);
    if (duration != null && duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0) {
      return duration.toSeconds();
    }
    throw new ToolException(
        ExitCode.USAGE, "--for is \"" + time + "\": write 60s, 5m or 1h, from 1s to 1h");
  }
}

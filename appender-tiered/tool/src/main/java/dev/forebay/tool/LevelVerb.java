package dev.forebay.tool;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets the level of a logger for a time, or shows all that are set. */
@Command(
    name = "level",
    description = "Set the level of a logger for a time, or show all levels that are set.")
final class LevelVerb implements Callable<Integer> {

  private static final Pattern TIME = Pattern.compile("(\\d{1,5})(s|m|h)?");
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int SECONDS_PER_HOUR = 3600;

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

  private int seconds() {
    Matcher matcher = TIME.matcher(time);
    if (matcher.matches()) {
      int number = Integer.parseInt(matcher.group(1));
      int seconds =
          switch (String.valueOf(matcher.group(2))) {
            case "m" -> number * SECONDS_PER_MINUTE;
            case "h" -> number * SECONDS_PER_HOUR;
            default -> number;
          };
      if (seconds >= 1 && seconds <= SECONDS_PER_HOUR) {
        return seconds;
      }
    }
    throw new ToolException(
        ExitCode.USAGE, "--for is \"" + time + "\": write 60s, 5m or 1h, from 1s to 1h");
  }
}

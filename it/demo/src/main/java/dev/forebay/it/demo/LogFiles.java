package dev.forebay.it.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What is really in the log files, the rolled ones among them.
 *
 * @param files number of files
 * @param lines number of lines, a last one without line end included
 * @param invalid how many of them are not one whole JSON object and a line end
 * @param firstInvalid where the first of these is, "" when there is none
 */
record LogFiles(int files, long lines, long invalid, String firstInvalid) {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int SHOWN = 100;

  /** Reads all files of a directory. */
  static LogFiles read(Path directory) throws IOException {
    LogFiles sum = new LogFiles(0, 0, 0, "");
    for (Path file : filesIn(directory)) {
      sum = sum.plus(inspect(file.getFileName().toString(), Files.readString(file)));
    }
    return sum;
  }

  private static List<Path> filesIn(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private LogFiles plus(LogFiles other) {
    return new LogFiles(
        files + other.files,
        lines + other.lines,
        invalid + other.invalid,
        firstInvalid.isEmpty() ? other.firstInvalid : firstInvalid);
  }

  private static LogFiles inspect(String name, String content) {
    long lines = 0;
    long invalid = 0;
    String firstInvalid = "";
    for (String line : content.isEmpty() ? new String[0] : content.split("(?<=\n)")) {
      lines++;
      if (!line.endsWith("\n") || !isJsonObject(line)) {
        invalid++;
        if (firstInvalid.isEmpty()) {
          String shown = line.strip().substring(0, Math.min(line.strip().length(), SHOWN));
          firstInvalid = name + " line " + lines + ": " + shown;
        }
      }
    }
    return new LogFiles(1, lines, invalid, firstInvalid);
  }

  private static boolean isJsonObject(String line) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      parser.skipChildren();
      return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
    } catch (JacksonException e) {
      return false;
    }
  }
}

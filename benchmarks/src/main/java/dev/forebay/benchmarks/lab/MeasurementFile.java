package dev.forebay.benchmarks.lab;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A measurement as a properties file: one file a run, readable by people. */
public final class MeasurementFile {

  /** End of the names of these files. */
  public static final String SUFFIX = ".run.properties";

  private static final String FIGURE = "figure.";

  private MeasurementFile() {}

  /** Name of the file of a run. */
  public static String nameOf(Scenario scenario, Peer peer, int repetition) {
    return scenario.id() + "." + peer.id() + "." + repetition + SUFFIX;
  }

  /** Writes a measurement. */
  public static void write(Measurement run, Path file) throws IOException {
    Properties lines = new Properties();
    lines.setProperty("scenario", run.scenario().name());
    lines.setProperty("peer", run.peer().name());
    lines.setProperty("repetition", Integer.toString(run.repetition()));
    run.figures()
        .forEach((figure, value) -> lines.setProperty(FIGURE + figure, Double.toString(value)));
    lines.setProperty("calls", encode(run.calls()));
    lines.setProperty("longestNs", join(run.longestNs()));
    lines.setProperty("faultFromMs", Long.toString(run.faultFromMs()));
    lines.setProperty("faultToMs", Long.toString(run.faultToMs()));
    String reason = run.voidBecause();
    if (reason != null) {
      lines.setProperty("voidBecause", reason);
    }
    try (Writer writer = Files.newBufferedWriter(file)) {
      lines.store(writer, null);
    }
  }

  /** Reads a measurement; throws an IOException that names the file when it is not one. */
  public static Measurement read(Path file) throws IOException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      lines.load(reader);
    }
    try {
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      for (String name : lines.stringPropertyNames()) {
        if (name.startsWith(FIGURE)) {
          figures.put(
              Figure.valueOf(name.substring(FIGURE.length())),
              Double.valueOf(lines.getProperty(name)));
        }
      }
      return new Measurement(
          Scenario.valueOf(lines.getProperty("scenario", "")),
          Peer.valueOf(lines.getProperty("peer", "")),
          Integer.parseInt(lines.getProperty("repetition", "")),
          figures,
          decode(lines.getProperty("calls", "")),
          split(lines.getProperty("longestNs", "")),
          Long.parseLong(lines.getProperty("faultFromMs", "-1")),
          Long.parseLong(lines.getProperty("faultToMs", "-1")),
          lines.getProperty("voidBecause"));
    } catch (IllegalArgumentException | DataFormatException e) {
      throw new IOException(file + " is not a measurement: " + e.getMessage(), e);
    }
  }

  private static String encode(Histogram calls) {
    ByteBuffer bytes = ByteBuffer.allocate(calls.getNeededByteBufferCapacity());
    int length = calls.encodeIntoCompressedByteBuffer(bytes);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }

  private static Histogram decode(String text) throws DataFormatException {
    return Histogram.decodeFromCompressedByteBuffer(
        ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
  }

  private static String join(List<Long> values) {
    return values.stream().map(Object::toString).collect(Collectors.joining(","));
  }

  private static List<Long> split(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(Long::valueOf).toList();
  }
}

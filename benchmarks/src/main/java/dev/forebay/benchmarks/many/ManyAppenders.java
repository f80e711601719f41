package dev.forebay.benchmarks.many;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * {@code many-appenders [number ...]} prints a table with two rows for each number of appenders: of
 * ours, and of Logback's.
 */
public final class ManyAppenders {

  private static final List<String> NUMBERS = List.of("1", "10", "100", "1000");

  /** Seconds that are measured; includes what an idle appender does once a minute. */
  private static final long IDLE_SECONDS = Long.getLong("many.seconds", 60);

  private ManyAppenders() {}

  /** Measures each number of each kind in a JVM of its own. */
  public static void run(List<String> numbers) throws IOException, InterruptedException {
    System.out.print(Crowd.HEADER);
    for (String number : numbers.isEmpty() ? NUMBERS : numbers) {
      for (Crowd.Kind kind : Crowd.Kind.values()) {
        run(kind, number);
      }
    }
  }

  private static void run(Crowd.Kind kind, String number) throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Xmn16m", // little garbage counts as resident memory
                "-XX:+UseSerialGC",
                "-Dmany.seconds=" + IDLE_SECONDS,
                "-cp",
                System.getProperty("java.class.path"),
                ManyAppenders.class.getName(),
                kind.name(),
                number)
            .inheritIO()
            .start();
    if (child.waitFor() != 0) {
      throw new IOException(number + " appenders could not be measured");
    }
  }

  /** The measured JVM. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Crowd.Kind kind = Crowd.Kind.valueOf(args[0]);
    Duration idle = Duration.ofSeconds(IDLE_SECONDS);
    System.out.print(Crowd.measure(kind, Integer.parseInt(args[1]), idle));
  }
}

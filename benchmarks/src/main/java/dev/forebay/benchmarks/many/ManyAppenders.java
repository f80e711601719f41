package dev.forebay.benchmarks.many;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** {@code many-appenders [number ...]} prints a table with a row for each number of appenders. */
public final class ManyAppenders {

  private static final List<String> NUMBERS = List.of("1", "10", "100", "1000");

  /** Seconds that are measured; includes what an idle appender does once a minute. */
  private static final long IDLE_SECONDS = Long.getLong("many.seconds", 60);

  private ManyAppenders() {}

  /** Measures each number in a JVM of its own. */
  public static void run(List<String> numbers) throws IOException, InterruptedException {
    System.out.print(Crowd.HEADER);
    for (String number : numbers.isEmpty() ? NUMBERS : numbers) {
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
                  number)
              .inheritIO()
              .start();
      if (child.waitFor() != 0) {
        throw new IOException(number + " appenders could not be measured");
      }
    }
  }

  /** The measured JVM. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.out.print(Crowd.measure(Integer.parseInt(args[0]), Duration.ofSeconds(IDLE_SECONDS)));
  }
}

package dev.forebay.it.jvm;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.Await;
import dev.forebay.jvm.JvmLogAppender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A process that has its JVM's log carried to a file, and does what it is told. */
public final class JvmServer {

  private JvmServer() {}

  /**
   * Does what each line of its input says, and answers each with its number.
   *
   * @param args log, spool directory and memory
   */
  public static void main(String[] args) throws IOException {
    LoggerContext context = new LoggerContext();
    JvmLogAppender appender = JvmChild.appender(context, args[0], args[1], args[2]);
    appender.start();
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int number = 0;
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "open" -> Await.until("the JVM writes", appender::isOpen);
        case "collect" -> JvmChild.collect(Integer.parseInt(words[1]), Duration.ZERO);
        case "warned" ->
            Await.until(
                "a warning",
                () -> JvmChild.problems(context).stream().anyMatch(it -> it.contains(words[1])));
        case "stop" -> appender.stop();
        default -> throw new IllegalArgumentException(line);
      }
      number++;
      System.out.println("done " + number + ".");
    }
    JvmChild.problems(context).forEach(problem -> System.out.println("problem " + problem));
    System.out.println("lost " + appender.lostBytes());
    System.out.println(appender.snapshot());
  }
}

package dev.forebay.it.apart;

import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Tiered;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program with many logs, to each of which it logs some messages. */
final class ManyLogsApp {

  /** Says that all is logged. */
  static final String LOGGED = "logged";

  private ManyLogsApp() {}

  /**
   * Logs, and ends with its input.
   *
   * @param args the configuration, the prefix of the loggers' names, their number, messages of each
   */
  public static void main(String[] args) throws Exception {
    Tiered tiered = Tiered.configured(Files.readString(Path.of(args[0])));
    long messages = Long.parseLong(args[3]);
    for (long number = 0; number < messages; number++) {
      for (int log = 0; log < Integer.parseInt(args[2]); log++) {
        String name = args[1] + log;
        tiered.context().getLogger(name).info(new Numbered(name, number).text());
      }
    }
    System.out.println(LOGGED);
    byte[] unused = System.in.readAllBytes();
    tiered.context().stop();
    tiered.problems().forEach(System.out::println);
  }

  /** The configuration of one. */
  static String xml(String prefix, int logs, Path directory, Path spool) {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    for (int log = 0; log < logs; log++) {
      String name = prefix + log;
      xml.append(
              "<appender name=\"%s\" class=\"dev.forebay.tiered.TieredAppender\">".formatted(name))
          .append(Apart.inner(directory.resolve(name).resolve("app.log"), spool))
          .append("</appender>\n")
          .append(
              "<logger name=\"%s\"><appender-ref ref=\"%s\"/></logger>\n".formatted(name, name));
    }
    return xml.append("</configuration>\n").toString();
  }
}

package dev.forebay.it.framework;

import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** Logback configurations of the Spring Boot application, and how to read what they wrote. */
public final class BootXml {

  /** The logger of the numbered messages. */
  private static final String OURS = "it ";

  /** One line for each event, whatever is in its message. */
  public static final String PATTERN =
      "<encoder><pattern>%logger %replace(%msg){'\\n', ' '}%n%nopex</pattern></encoder>";

  private BootXml() {}

  /** One TieredAppender with everything the application logs. */
  public static String tiered(Places places, String... inner) {
    return around(
        """
        <appender name="LOG" class="dev.forebay.tiered.TieredAppender">%s%s%s</appender>
        """
            .formatted(places.xml(), PATTERN, String.join("\n", inner)),
        "LOG");
  }

  /** A configuration with appenders, given as XML and by name. */
  public static String around(String appenders, String... names) {
    StringBuilder references = new StringBuilder();
    for (String name : names) {
      references.append("<appender-ref ref=\"%s\"/>".formatted(name));
    }
    return "<configuration>%s<root level=\"INFO\">%s</root></configuration>"
        .formatted(appenders, references);
  }

  /** Spring's option for a configuration outside of the jar. */
  public static String option(Places places, String xml) throws IOException {
    return "--logging.config="
        + Files.writeString(places.root().resolve("logback-spring.xml"), xml);
  }

  /** The numbered messages among the lines of a log. */
  public static List<String> ours(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(OURS))
        .map(line -> line.substring(OURS.length()))
        .toList();
  }
}

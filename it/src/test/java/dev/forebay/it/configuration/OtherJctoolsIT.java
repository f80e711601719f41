package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.core.Appender;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Command;
import dev.forebay.it.support.Places;
import dev.forebay.tiered.TieredAppender;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** An application has the JCTools that its other libraries want, or none. */
@Tag("nightly")
class OtherJctoolsIT {

  private static final String CONFIGURATION =
      """
      <configuration>
        <appender name="TIERED" class="dev.forebay.tiered.TieredAppender">
          <file>%1$s/tiered.log</file>
          <spoolDirectory>%2$s</spoolDirectory>
          <encoder><pattern>%%msg%%n</pattern></encoder>
        </appender>
        <appender name="FILE" class="ch.qos.logback.core.FileAppender">
          <file>%1$s/plain.log</file>
          <encoder><pattern>%%msg%%n</pattern></encoder>
        </appender>
        <appender name="RING" class="dev.forebay.NonBlockingAppender">
          <appender-ref ref="FILE"/>
        </appender>
        <root level="INFO">
          <appender-ref ref="TIERED"/>
          <appender-ref ref="RING"/>
        </root>
      </configuration>
      """;

  private final Places places = Places.create();

  @AfterEach
  void close() throws Exception {
    places.close();
  }

  @ParameterizedTest
  @CsvSource({
    "none, false",
    "jctools-core-2.1.2.jar, false",
    "jctools-core-3.0.0.jar, false",
    "jctools-core-3.1.0.jar, false",
    "jctools-core-3.3.0.jar, false",
    "jctools-core-4.0.7.jar, false",
    "none, true",
    "jctools-core-2.1.2.jar, true",
    "jctools-core-3.0.0.jar, true",
    "jctools-core-3.1.0.jar, true",
    "jctools-core-3.3.0.jar, true",
    "jctools-core-4.0.7.jar, true",
  })
  void bothAppendersWorkBesideAnyJctools(String jctools, boolean onModulePath) throws Exception {
    String said = Command.run(command(jctools, onModulePath));

    assertThat(said).isEqualTo((onModulePath ? "module, " : "class path, ") + jctools);
    List<String> logged =
        IntStream.rangeClosed(1, TwoLogs.LINES).mapToObj("line %d"::formatted).toList();
    for (String log : List.of("tiered.log", "plain.log")) {
      assertThat(Files.readAllLines(places.logDirectory().resolve(log))).as(log).isEqualTo(logged);
    }
  }

  private String[] command(String jctools, boolean onModulePath) throws Exception {
    Path configuration = places.root().resolve("logback.xml");
    Files.writeString(
        configuration, CONFIGURATION.formatted(places.logDirectory(), places.spool()));
    List<String> libraries =
        new ArrayList<>(
            Stream.of(
                    TieredAppender.class,
                    NonBlockingAppender.class,
                    Logger.class,
                    Appender.class,
                    LoggerFactory.class)
                .map(OtherJctoolsIT::place)
                .toList());
    assertThat(libraries.get(0)).as("packed").endsWith(".jar");
    if (!jctools.equals("none")) {
      libraries.add(Path.of("target/jctools", jctools).toAbsolutePath().toString());
    }
    String program = place(TwoLogs.class);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Dlogback.configurationFile=" + configuration);
    String path = String.join(File.pathSeparator, libraries);
    if (onModulePath) {
      command.addAll(List.of("-p", path, "--add-modules", "ALL-MODULE-PATH", "-cp", program));
    } else {
      command.addAll(List.of("-cp", program + File.pathSeparator + path));
    }
    command.add(TwoLogs.class.getName());
    return command.toArray(new String[0]);
  }

  private static String place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(type.getName(), e);
    }
  }
}

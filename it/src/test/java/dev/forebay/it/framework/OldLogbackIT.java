package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.NonBlockingAppender;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Places;
import dev.forebay.tiered.TieredAppender;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beside a Logback that is too old no appender starts, and one ERROR says what to do. */
class OldLogbackIT {

  private static final String NOP =
      "<appender name='NOP' class='ch.qos.logback.core.helpers.NOPAppender'/>";
  private static final String TIERED =
      "<appender name='LOG' class='dev.forebay.tiered.TieredAppender'>%s<encoder><pattern>%%C %%msg%%n</pattern></encoder></appender>";
  private static final String NON_BLOCKING =
      NOP
          + "<appender name='LOG' class='dev.forebay.NonBlockingAppender'><appender-ref ref='NOP'/></appender>";
  private static final String JVM =
      NOP
          + "<appender name='LOG' class='dev.forebay.jvm.JvmLogAppender'>%s<appender-ref ref='NOP'/></appender>";
  private static final String AROUND =
      """
      <configuration>
        %s
        <root><appender-ref ref="LOG"/></root>
      </configuration>
      """;

  @AutoClose private final Places places = Places.create();

  /** The appenders as they are, with a Logback and its SLF4J that the build has put there. */
  private static String classPath(String logback) throws IOException {
    Path old = Path.of("target", "old-logback", logback).toAbsolutePath();
    List<String> entries = new ArrayList<>();
    for (Class<?> ours : List.of(Numbered.class, NonBlockingAppender.class, TieredAppender.class)) {
      entries.add(ours.getProtectionDomain().getCodeSource().getLocation().getPath());
    }
    FileTree.files(old).forEach(jar -> entries.add(jar.toString()));
    assertThat(entries).as(old + ": made by mvn package").hasSize(6);
    return String.join(File.pathSeparator, entries);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "1.5.12, Logback 1.5.12 is older than 1.5.13",
    "1.3.15, Logback 1.3.15 is older than 1.5.13",
    "1.2.13, Logback is older than 1.5.13" // its jar does not tell
  })
  void noAppenderStartsAndOneErrorSaysWhatToDo(String logback, String text) throws Exception {
    for (String appender : List.of(TIERED, NON_BLOCKING, JVM)) {
      Deployed deployed = new Deployed(classPath(logback));
      deployed.command("start", AROUND.formatted(appender.formatted(places.xml())));
      deployed.command("log", "refused");

      assertThat(deployed.command("statuses").lines())
          .singleElement()
          .asString()
          .startsWith("ERROR ")
          .contains("Appender [LOG]: not started: " + text, "1.5.13 or newer")
          .endsWith("newer"); // and no exception
      int taken = appender.equals(JVM) ? 0 : WebApplication.MESSAGES;
      assertThat(deployed.command("account"))
          .startsWith("offered %1$d = delivered 0 + dropped %1$d {".formatted(taken));
      deployed.command("stop");
      assertThat(places.spool()).isEmptyDirectory();
      assertThat(places.log()).doesNotExist();
    }
  }
}

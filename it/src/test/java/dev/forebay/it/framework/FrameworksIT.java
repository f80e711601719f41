package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Servers of other frameworks, configured by the examples: each line is in the log once after a
 * kill, and what is logged while the framework stops is there too.
 */
class FrameworksIT {

  private static final int REQUESTS = 100;

  /** A kill leaves confirmed lines in the spool, and the shipper has not committed them. */
  private static final String DURABLE = "<durability>call</durability><fsync>1 hour</fsync>";

  /** As {@code it - text}, or as Dropwizard writes it. */
  private static final Pattern LINE = Pattern.compile(".* it(?: -|:) (.*)");

  @AutoClose private final Places places = Places.create();

  private static Path example(String framework, String file) {
    return Path.of("..", "src", "examples", framework, file).toAbsolutePath().normalize();
  }

  /** The application of a framework, with the class path that the build has written. */
  private Program launch(
      String framework, String name, List<String> options, String before, String... arguments)
      throws IOException {
    Path target = Path.of("frameworks", framework, "target").toAbsolutePath();
    String classPath =
        String.join(
            File.pathSeparator,
            before,
            target.resolve("classes").toString(),
            Files.readString(target.resolve("class-path")).strip());
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC"));
    String main = "dev.forebay.it." + framework + "." + name;
    return Program.start(places.root(), all, classPath, main, arguments);
  }

  /** With the example as logback.xml, which gets a spool of the test. */
  private Program launchWithXml(String framework, String name) throws IOException {
    String inner =
        "<spoolDirectory>%s</spoolDirectory>%s<encoder>".formatted(places.spool(), DURABLE);
    String xml = Files.readString(example(framework, "logback.xml")).replace("<encoder>", inner);
    assertThat(xml).contains(inner);
    Path directory = Files.createDirectories(places.root().resolve("configuration"));
    Files.writeString(directory.resolve("logback.xml"), xml);
    return launch(
        framework,
        name,
        List.of("-DLOG_DIR=" + places.logDirectory(), "-Dmicronaut.server.port=-1"),
        directory.toString());
  }

  private Program launchDropwizard(String... more) throws IOException {
    String[] settings = {
      "server.type=simple",
      "server.applicationContextPath=/",
      "server.connector.type=http",
      "server.connector.port=0",
      "logging.appenders[0].currentLogFilename=" + places.log(),
      "logging.appenders[0].archivedLogFilenamePattern=" + places.log() + ".%d.%i.gz",
      "logging.appenders[0].spoolDirectory=" + places.spool()
    };
    List<String> options = new ArrayList<>();
    for (String setting : settings) {
      options.add("-Ddw." + setting);
    }
    for (String setting : more) {
      options.add("-Ddw.logging.appenders[0]." + setting);
    }
    return launch(
        "dropwizard",
        "DropwizardApp",
        options,
        places.root().toString(),
        "server",
        example("dropwizard", "config.yml").toString());
  }

  /** A request for each line. */
  private static void request(BootProcess server, String what, String producer) throws Exception {
    for (int number = 0; number < REQUESTS; number++) {
      server.get(what + new Numbered(producer, number).text().replace(" ", "%20"));
    }
  }

  private void requireEachLineOnce(Launch application, String appender, String... more)
      throws Exception {
    try (BootProcess server = BootProcess.of(application.launch())) {
      request(server, "/log/", "killed");
      server.kill();
    }
    Oracle oracle = new Oracle().producer("killed", REQUESTS, REQUESTS);
    try (BootProcess server = BootProcess.of(application.launch())) {
      request(server, "/log/", "next");
      oracle.producer("next", REQUESTS, REQUESTS);
      for (String path : more) {
        server.get(path);
        request(server, "/log/", "after");
        oracle.producer("after", REQUESTS, REQUESTS);
      }
      assertThat(server.flushedAccounts()).containsOnlyKeys(appender);
      BootProcess.Account account = server.flushedAccounts().get(appender);
      assertThat(account.offered()).isGreaterThanOrEqualTo(REQUESTS).isEqualTo(account.delivered());
      assertThat(server.problems()).isEmpty();
      request(server, "/keep/", "last");
      oracle.producer("last", REQUESTS, REQUESTS);
      server.terminate();
    }
    // What was logged in the last moment waits in the spool.
    try (Tiered next = Tiered.with(places.xml(), Xml.MESSAGES)) {
      next.flush();
      assertThat(next.problems()).isEmpty();
    }
    oracle.complete(0).requireSound(messages());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  private interface Launch {
    Program launch() throws IOException;
  }

  private List<String> messages() throws IOException {
    List<String> messages = new ArrayList<>();
    for (String line : LogFiles.of(places.log()).lines()) {
      Matcher ours = LINE.matcher(line);
      if (ours.matches()) {
        messages.add(ours.group(1));
      }
    }
    return messages;
  }

  @Test
  void dropwizardTakesTheAppenderFromItsOwnConfiguration() throws Exception {
    requireEachLineOnce(() -> launchDropwizard("durability=call", "fsync=1h"), "app.log");
  }

  @Test
  void ktorNeedsAnotherClassInItsLogbackXmlOnly() throws Exception {
    requireEachLineOnce(() -> launchWithXml("ktor", "KtorApp"), "FILE");
  }

  /** A refresh configures Logback anew. */
  @Test
  void micronautNeedsAnotherClassInItsLogbackXmlOnly() throws Exception {
    requireEachLineOnce(() -> launchWithXml("micronaut", "MicronautApp"), "FILE", "/refresh");
  }
}

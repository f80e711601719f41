package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A {@link PlayChild} seen from the parent. */
final class PlayProcess implements AutoCloseable {

  /** Play takes seconds to start, where a processor is to be had. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Program program;
  private final Path reports;

  private PlayProcess(Program program, Path reports) {
    this.program = program;
    this.reports = reports;
  }

  /**
   * Starts one, with the files of a Play application's "conf" first on its class path.
   *
   * @param appenders what stands in its configuration, with an appender JSON
   */
  static PlayProcess start(Places places, String appenders) throws IOException {
    Path reports = places.directory("reports");
    Path conf = places.directory("conf");
    writeApplicationConf(conf);
    Path logbackXml = conf.resolve("logback.xml");
    writeLogbackXml(logbackXml, appenders);
    List<String> options = List.of("-XX:+UseSerialGC", "-Xmx256m");
    return new PlayProcess(
        Program.start(
            reports,
            options,
            conf + File.pathSeparator + Program.classPath(),
            PlayChild.class.getName(),
            places.directory("home").toString(),
            reports.toString()),
        reports);
  }

  private static void writeApplicationConf(Path conf) throws IOException {
    Files.writeString(
        conf.resolve("application.conf"),
        """
        play.application.loader = "dev.forebay.it.framework.PlayChild$Loader"
        play.http.secret.key = "%s"
        play.server.pidfile.path = "/dev/null"
        play.server.http.address = "127.0.0.1"
        play.server.http.port = 0
        pekko.coordinated-shutdown.phases.before-actor-system-terminate.timeout = 30 s
        """
            .formatted("only-for-this-test-".repeat(4)));
  }

  private static void writeLogbackXml(Path file, String appenders) throws IOException {
    Files.writeString(
        file,
        """
        <configuration>
          <statusListener class="dev.forebay.it.framework.PlayChild$Warnings"/>
          <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
            <filter class="ch.qos.logback.classic.filter.ThresholdFilter">
              <level>WARN</level>
            </filter>
            <encoder><pattern>%%-5level %%logger{15} - %%message%%n%%xException{10}</pattern></encoder>
          </appender>
          %s
          <root level="TRACE"><appender-ref ref="JSON"/><appender-ref ref="STDOUT"/></root>
        </configuration>
        """
            .formatted(appenders));
  }

  /** Waits until it serves requests. */
  void awaitReady() {
    Path ready = reports.resolve("ready");
    boolean unused = Await.within(PATIENCE, () -> Files.exists(ready) || !program.isAlive());
    assertThat(ready).as(program.output()).exists();
  }

  /** Asks it to end and waits; its account. */
  List<String> terminate() throws IOException, InterruptedException {
    assertThat(program.terminate()).as(program.output()).isEqualTo(Program.TERMINATED);
    return Files.readAllLines(reports.resolve("account"));
  }

  /** The lines of an account that begin so. */
  static Stream<String> said(List<String> account, String kind) {
    return account.stream().filter(line -> line.startsWith(kind));
  }

  @Override
  public void close() {
    program.close();
  }
}

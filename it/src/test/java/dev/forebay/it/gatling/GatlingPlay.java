package dev.forebay.it.gatling;

import dev.forebay.host.Await;
import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.PlayApp;
import dev.forebay.it.framework.BootProcess;
import dev.forebay.it.support.Places;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The demo's Play application under load, spoken to as {@link PlayApp} describes. */
final class GatlingPlay implements GatlingTarget {

  private static final String COUNTER = "dev.forebay.it.demo.app.OfferedCounter";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final Path output;

  private GatlingPlay(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts it and waits until it serves requests. */
  static GatlingPlay start(GatlingLogging logging, Places places, String... options)
      throws Exception {
    Path home = places.directory("play");
    Path xml = Files.writeString(home.resolve("logback.xml"), logging.configuration(COUNTER));
    Path output = home.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseG1GC", "-Xms512m", "-Xmx512m", "-XX:-UsePerfData"));
    command.add("-Djava.io.tmpdir=" + home);
    command.add("-Dconfig.resource=demo/application.conf");
    command.add("-Dlogback.configurationFile=demo/logback-before-play.xml");
    command.add("-Dlogger.file=" + xml);
    // Longer than any appender may take to stop.
    command.add("-Dpekko.coordinated-shutdown.phases.before-actor-system-terminate.timeout=90s");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classPath(), PlayApp.class.getName(), home.toString()));
    Process process =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    GatlingPlay play = new GatlingPlay(process, output);
    try {
      boolean ready =
          Await.within(PATIENCE, () -> play.said("ready") != null || !process.isAlive());
      if (!ready || play.said("ready") == null) {
        throw new AssertionError("not ready: " + play.output());
      }
      return play;
    } catch (Exception | AssertionError e) {
      play.close();
      throw e;
    }
  }

  private static String classPath() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return String.join(
        File.pathSeparator,
        Stream.of(path.split(File.pathSeparator, -1))
            .map(entry -> new File(entry).getAbsolutePath())
            .toList());
  }

  /** What it said last behind this word, null if it did not yet. */
  private @Nullable String said(String word) {
    return output()
        .lines()
        .filter(line -> line.equals(word) || line.startsWith(word + " "))
        .reduce((earlier, later) -> later)
        .map(line -> line.substring(word.length()).strip())
        .orElse(null);
  }

  @Override
  public String url() {
    return "http://127.0.0.1:" + said("ready");
  }

  @Override
  public End end() throws Exception {
    OutputStream input = process.getOutputStream();
    input.write("finish\n".getBytes(StandardCharsets.UTF_8));
    input.flush();
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("does not end: " + output());
    }
    String last = said("figures");
    if (last == null || said("finished") == null) {
      throw new AssertionError("did not finish: " + output());
    }
    Figures figures = Figures.parse(last);
    BootProcess.Account account =
        figures.values().containsKey(Figures.OFFERED)
            ? new BootProcess.Account(
                figures.get(Figures.OFFERED),
                figures.get(Figures.DELIVERED),
                figures.get(Figures.DROPPED),
                figures.get(Figures.IN_FLIGHT),
                figures.get(Figures.RECORDED))
            : null;
    return new End(figures.get(Figures.COUNTED), account, process.exitValue() == 0);
  }

  @Override
  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

package dev.forebay.it.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.agent.Program;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link JvmServer} seen from the parent, with a second output that nothing of ours touches: what
 * its JVM really wrote. Its collector has one thread, so both have the same order.
 */
final class Served implements AutoCloseable {

  private final Program program;
  private final Path log;
  private final Path truth;
  private int told;

  private Served(Program program, Path log, Path truth) {
    this.program = program;
    this.log = log;
    this.truth = truth;
  }

  /** Starts one. */
  static Served start(Places places, Path log, Path spoolDirectory, String... options)
      throws IOException {
    Path truth = places.spool().resolve("truth");
    List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xmx64m"));
    all.add("-Xlog:%s:file=%s:%s:filecount=0".formatted(JvmLives.WHAT, truth, JvmLives.DECORATORS));
    all.addAll(Child.archive());
    all.addAll(List.of(options));
    Program program =
        Program.start(
            places.directory("served"),
            all,
            Child.classPath(),
            JvmServer.class.getName(),
            log.toString(),
            spoolDirectory.toString(),
            "2 MB");
    return new Served(program, log, truth);
  }

  /** Has it do something, and waits until it is done. */
  Served tell(String command) throws IOException {
    program.tell(command);
    told++;
    program.awaitSaid("done " + told + ".");
    return this;
  }

  /** What its JVM wrote so far. */
  List<String> truth() throws IOException {
    return JvmLives.lines(truth);
  }

  /** What is in the log. */
  List<String> log() throws IOException {
    return JvmLives.lines(log);
  }

  /** The log byte for byte, after the line that says where it begins. */
  String text() throws IOException {
    String text = Files.readString(log, StandardCharsets.ISO_8859_1);
    assertThat(text).startsWith("[forebay] the JVM's log begins here: ");
    return text.substring(text.indexOf('\n') + 1);
  }

  /** Has its appender stop and the log complete, and ends it; what it said. */
  String end() throws Exception {
    String last = last(truth());
    String said = endAnyhow();
    assertThat(log()).contains(last);
    return said;
  }

  /** The same, whatever is in the log. */
  String endAnyhow() throws Exception {
    tell("stop");
    assertThat(program.end()).as(program.output()).isZero();
    assertThat(program.output()).contains("in flight 0");
    return program.output();
  }

  /** The log has every line from its first one to the stop, and nothing else. */
  void requireAll() throws IOException {
    List<String> written = truth();
    int from = written.indexOf(log().get(0));
    assertThat(from).as(log().get(0)).isNotNegative();
    assertThat(written.subList(from, written.size())).startsWith(log().toArray(String[]::new));
  }

  private static String last(List<String> lines) {
    return lines.get(lines.size() - 1);
  }

  @Override
  public void close() {
    program.close();
  }
}

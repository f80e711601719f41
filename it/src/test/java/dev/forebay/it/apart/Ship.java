package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Killable;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.tool.Tool;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.ShipperNote;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The other process: {@code forebay ship}. */
public final class Ship implements Killable {

  private static final long PAGE_BYTES = 4096;

  /** Of the file that says who ships. */
  private static final String NOTE = "shipper";

  /** What it says first. */
  private static final String UP = "\"logs\"";

  private static final Pattern SHIPPED = Pattern.compile("\"shipped\":(\\d+)");
  private static final Pattern LOST = Pattern.compile("\"lost\":([1-9]\\d*)");

  private final Path base;
  private final Program program;

  private Ship(Path base, Program program) {
    this.base = base;
    this.program = program;
  }

  /**
   * Starts one and waits until it looks for spools.
   *
   * @param directory a new one of its own
   * @param base whose spools it ships
   */
  static Ship start(Path directory, Path base) throws IOException {
    return launch(directory, base).awaitUp();
  }

  /** Starts one, with more options of the verb. */
  static Ship launch(Path directory, Path base, String... more) throws IOException {
    return run(directory, base, arguments(base, more));
  }

  /** Starts one with more on its class path: what a log needs that is no file. */
  public static Ship launchWith(List<String> more, Path directory, Path base) throws IOException {
    List<String> classPath = new ArrayList<>(List.of(Tool.jar().toString()));
    classPath.addAll(more);
    List<String> command =
        new ArrayList<>(List.of("-cp", String.join(File.pathSeparator, classPath)));
    command.add("dev.forebay.tool.Main");
    command.addAll(verb(base));
    return run(directory, base, command);
  }

  private static Ship run(Path directory, Path base, List<String> what) throws IOException {
    List<String> command = new ArrayList<>(List.of(Program.ofJdk("java")));
    command.addAll(Program.QUICK);
    command.add("-Xmx64m");
    command.addAll(what);
    return new Ship(base, Program.start(Files.createDirectory(directory), command));
  }

  /** The end of the command line: the tool with the verb, and more options of that. */
  public static List<String> arguments(Path base, String... more) {
    List<String> arguments = new ArrayList<>(List.of("-jar", Tool.jar().toString()));
    arguments.addAll(verb(base));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static List<String> verb(Path base) {
    return List.of("ship", "--spool-directory", base.toString(), "--verbose", "--json");
  }

  /** Waits until it looks for spools. */
  public Ship awaitUp() {
    program.awaitSaid(UP);
    return this;
  }

  /** Waits until no spool is left, which is where its owner lives. */
  public Ship awaitDrained() throws IOException {
    awaitDrained(this, base);
    return this;
  }

  private static void awaitDrained(Killable ship, Path base) throws IOException {
    Await.process(
        "all shipped: " + ship.output(), () -> SpoolPeek.spools(base).isEmpty() || !ship.isAlive());
    assertThat(ship.isAlive()).as(ship.output()).isTrue();
  }

  /** Lets one that may run elsewhere, and may still start, ship all and end well. */
  static void endDrained(Killable ship, Path base) throws Exception {
    Await.process("up: " + ship.output(), () -> ship.output().contains(UP) || !ship.isAlive());
    awaitDrained(ship, base);
    ship.signal("TERM");
    assertThat(ship.awaitEnd()).as(ship.output()).isZero();
    requireWell(ship.output());
  }

  /** Waits until it is the one that ships the only log. */
  public Ship awaitShipping() throws IOException {
    Await.process("ships: " + output(), () -> isShipping() || !program.isAlive());
    assertThat(program.isAlive()).as(output()).isTrue();
    return this;
  }

  /** Whether it is the one that ships the only log. */
  public boolean isShipping() throws IOException {
    return isShippedBy(base, pid());
  }

  /** Whether a process says that it ships a log with spools below a directory. */
  private static boolean isShippedBy(Path base, long pid) throws IOException {
    for (Path note : notes(base)) {
      ShipperNote read = ShipperNote.read(new NioDisk(), note.resolveSibling(""));
      if (read != null && read.pid() == pid) {
        return true;
      }
    }
    return false;
  }

  /** Where shippers say that they ship, below a directory. */
  public static List<Path> notes(Path base) throws IOException {
    return FileTree.files(base).stream()
        .filter(path -> path.getFileName().toString().equals(NOTE))
        .toList();
  }

  /** Records that it brought into logs. Known at its end. */
  public long shipped() {
    return shipped(output());
  }

  /** The same of one that runs elsewhere. */
  public static long shipped(String output) {
    return SHIPPED
        .matcher(output)
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  long pid() {
    return program.pid();
  }

  @Override
  public boolean isAlive() {
    return program.isAlive();
  }

  /** Kills it like {@code kill -9}. */
  public void kill() throws IOException, InterruptedException {
    program.kill();
  }

  @Override
  public void signal(String name) throws IOException, InterruptedException {
    program.signal(name);
  }

  /** Lets it end well; then it has lost nothing, left nothing, and warned of nothing. */
  public Ship end() throws IOException, InterruptedException {
    terminate();
    requireWell(output());
    return this;
  }

  private static void requireWell(String output) {
    assertThat(problems(output)).isEmpty();
    assertThat(output).doesNotContainPattern(LOST);
  }

  /** Lets it end; then it has left nothing. */
  public Ship terminate() throws IOException, InterruptedException {
    assertThat(program.terminate()).as(output()).isZero();
    return this;
  }

  /** Warnings and errors so far. */
  public List<String> problems() {
    return problems(output());
  }

  private static List<String> problems(String output) {
    return output.lines().filter(line -> line.matches("forebay: (WARN|ERROR) .*")).toList();
  }

  @Override
  public int awaitEnd() throws IOException, InterruptedException {
    return program.awaitEnd();
  }

  @Override
  public String output() {
    return program.output();
  }

  /** Files that it has open. */
  int openFiles() throws IOException {
    return count("fd");
  }

  int threads() throws IOException {
    return count("task");
  }

  long residentBytes() throws IOException {
    String pages = Files.readString(Path.of("/proc", "" + pid(), "statm")).split(" ", -1)[1];
    return Long.parseLong(pages) * PAGE_BYTES;
  }

  private int count(String what) throws IOException {
    try (Stream<Path> entries = Files.list(Path.of("/proc", "" + pid(), what))) {
      return (int) entries.count();
    }
  }

  @Override
  public void close() {
    program.close();
  }

  @Override
  public String toString() {
    return output();
  }
}

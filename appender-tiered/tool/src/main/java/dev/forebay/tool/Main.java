package dev.forebay.tool;

import dev.forebay.observe.Printable;
import dev.forebay.tiered.identity.ShipperNote;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code forebay}: all verbs, and what their failures end with. */
@Command(
    name = "forebay",
    description =
        "Looks at the spools of Forebay's appenders, recovers and ships what is in them, and steers live ones.",
    synopsisSubcommandLabel = "VERB",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    scope = CommandLine.ScopeType.INHERIT,
    subcommands = {
      Cat.class,
      Verify.class,
      Recover.class,
      Ship.class,
      Redact.class,
      Doctor.class,
      GenerateCompletion.class,
      CommandLine.HelpCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, nothing is wrong",
      "1:done, something is wrong: see the output",
      "2:the command line is wrong",
      "3:no such log, spool, process or file",
      "4:refused: of another user, in use, in another format",
      "5:reading or writing failed, or this tool did",
      "6:found nothing, but could not look at everything"
    })
public final class Main {

  // What each exit code means is in the list above. Picocli uses USAGE too.
  static final int OK = 0;
  static final int FINDINGS = 1;
  static final int USAGE = 2;
  static final int NOT_FOUND = 3;
  static final int REFUSED = 4;
  static final int FAILED = 5;
  static final int INCOMPLETE = 6;

  /** In the order in which they are needed. */
  private static final List<String> VERBS =
      List.of(
          "ls",
          "stat",
          "cat",
          "account",
          "doctor",
          "level",
          "flush",
          "rotate",
          "dump",
          "verify",
          "recover",
          "ship",
          "redact",
          "generate-completion",
          "help");

  /** What the argument of most verbs may be. */
  static final String TARGET = "The path of a log, the directory of its spools, or a process id.";

  /** The build writes it into the manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"forebay " + (version == null ? "without a version" : version)};
    }
  }

  private final InstantSource clock = InstantSource.system();

  private Main() {}

  @Command(
      description =
          "List the spools of this user, the loops of flight recorders, and what JVMs wrote to their logs.")
  int ls(@Mixin Output output, @Mixin Places places) throws IOException {
    long nowMs = clock.millis();
    boolean isFirst = !output.isJson();
    for (LogSpools log : places.all()) {
      String name = log.log();
      List<SpoolFacts> all = log.facts(SpoolFacts.Kind.values());
      ShipperNote shipper = log.shipperNote();
      if (isFirst && (shipper != null || !all.isEmpty())) {
        isFirst = false;
        output.line(SpoolReport.HEADINGS);
      }
      for (SpoolFacts facts : all) {
        String process = SpoolReport.process(facts, all, nowMs);
        output.print(SpoolReport.json(name, facts), SpoolReport.row(name, facts, process, nowMs));
      }
      if (shipper != null) {
        output.print(SpoolReport.json(name, log, shipper), SpoolReport.row(name, log, shipper));
      }
    }
    places
        .foreign(places.directories())
        .forEach((path, user) -> output.note("left out %s of user %d".formatted(path, user)));
    return OK;
  }

  @Command(description = "Show all that is known of a log's spools.")
  int stat(
      @Mixin Output output,
      @Mixin Places places,
      @Parameters(paramLabel = "TARGET", description = TARGET) String target)
      throws IOException {
    for (LogSpools log : places.find(target)) {
      output.print(SpoolReport.json(log));
    }
    return OK;
  }

  @Command(
      description =
          "Show what became of every event: offered = delivered + dropped + expired + held + inFlight.")
  int account(
      @Mixin Output output,
      @Mixin Steering appenders,
      @Option(names = "--watch", description = "Show it every second, until the process ends.")
          boolean isWatched)
      throws IOException {
    return appenders.account(output, isWatched);
  }

  @Command(description = "Set the level of a logger for a time, or show all levels that are set.")
  int level(
      @Mixin Output output,
      @Mixin Steering appenders,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "LOGGER=LEVEL",
              description = "Such as com.example=DEBUG or ROOT=TRACE; without it, show all levels.")
          @Nullable String wanted,
      @Option(
              names = "--for",
              paramLabel = "TIME",
              defaultValue = "60s",
              description = "How long, 1s to 1h; ${DEFAULT-VALUE} by default.")
          String time)
      throws IOException {
    return wanted == null
        ? appenders.askAll(output, "levels")
        : appenders.level(output, wanted, time);
  }

  @Command(description = "Roll the log file of a live appender now.")
  int rotate(@Mixin Output output, @Mixin Steering appenders) throws IOException {
    return appenders.askAll(output, "rotate");
  }

  @Command(description = "Wait, at most 10 s, until what was logged so far is in the log.")
  int flush(@Mixin Output output, @Mixin Steering appenders) throws IOException {
    return appenders.askAll(output, "flush 10000");
  }

  @Command(description = "Write what a live appender's flight recorder holds.")
  int dump(
      @Mixin Output output,
      @Mixin Steering appenders,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              defaultValue = "",
              description = "Part of the file's name.")
          String reason)
      throws IOException {
    return appenders.askAll(output, ("dump " + reason).strip());
  }

  /** Runs a verb and ends the JVM with its exit code. */
  public static void main(String[] args) {
    Runtime.getRuntime().exit(run(args, writer(FileDescriptor.out), writer(FileDescriptor.err)));
  }

  /** Runs a verb; whatever goes wrong, the code never looks like a finding. */
  static int run(String[] args, PrintWriter out, PrintWriter err) {
    try {
      return commandLine(out, err).execute(args);
    } catch (Throwable e) { // picocli lets Errors pass, for which Java's own exit code is 1
      err.println("forebay: " + Printable.text(e.toString()));
      return FAILED;
    }
  }

  /** The command line, which prints to these. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    CommandLine all = new CommandLine(new Main());
    VERBS.forEach(verb -> all.addSubcommand(verb, all.getCommandSpec().removeSubcommand(verb)));
    return all.setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler((e, verb, parsed) -> failed(e, verb));
  }

  private static PrintWriter writer(FileDescriptor to) {
    return new PrintWriter(new FileOutputStream(to), true, StandardCharsets.UTF_8);
  }

  private static int failed(Exception e, CommandLine verb) {
    verb.getOut().flush();
    String message = e instanceof ToolException ? e.getMessage() : e.toString();
    verb.getErr().println("forebay: " + Printable.text(String.valueOf(message)));
    return e instanceof ToolException known ? known.exitCode : FAILED;
  }
}

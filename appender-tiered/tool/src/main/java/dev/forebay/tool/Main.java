package dev.forebay.tool;

import dev.forebay.observe.Printable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code forebay}: all verbs, and what their failures end with. */
@Command(
    name = "forebay",
    description =
        "Looks at the spools of Forebay's appenders, recovers what is in them, and steers live ones.",
    synopsisSubcommandLabel = "VERB",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    scope = CommandLine.ScopeType.INHERIT,
    subcommands = {
      Ls.class,
      Stat.class,
      Cat.class,
      Verify.class,
      Recover.class,
      Doctor.class,
      Account.class,
      LevelVerb.class,
      Steering.Rotate.class,
      Steering.Flush.class,
      Steering.Dump.class,
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

  private Main() {}

  /** Runs a verb and ends the JVM with its {@link ExitCode}. */
  public static void main(String[] args) {
    Runtime.getRuntime().exit(run(args, writer(FileDescriptor.out), writer(FileDescriptor.err)));
  }

  /** Runs a verb; whatever goes wrong, the code never looks like a finding. */
  static int run(String[] args, PrintWriter out, PrintWriter err) {
    try {
      return commandLine(out, err).execute(args);
    } catch (Throwable e) { // picocli lets Errors pass, for which Java's own exit code is 1
      err.println("forebay: " + Printable.text(e.toString()));
      return ExitCode.FAILED;
    }
  }

  /** The command line, which prints to these. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    return new CommandLine(new Main())
        .setOut(out)
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
    return e instanceof ToolException known ? known.exitCode() : ExitCode.FAILED;
  }
}

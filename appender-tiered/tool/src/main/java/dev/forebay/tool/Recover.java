package dev.forebay.tool;

import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import dev.forebay.tiered.inspect.SpoolMove;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes the lines of dead processes out of their spools. */
@Command(
    name = "recover",
    description =
        "Move the lines of dead processes to a file, each once, and dump what their flight recorders"
            + " hold beside it. For a log that no application will open again: otherwise its next"
            + " start does.")
final class Recover implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private Places places = new Places();

  @ArgGroup(multiplicity = "1")
  private Way way = new Way();

  private static final class Way {
    @Option(names = "--to", paramLabel = "FILE", description = "A new file.")
    private Path to = Path.of("");

    @Option(names = "--discard", description = "Delete them; recorders keep what they hold.")
    private boolean discard;
  }

  @Option(names = "--append", description = "FILE may exist, as the log itself does.")
  private boolean append;

  @Parameters(paramLabel = "TARGET", description = Main.TARGET)
  private String target = "";

  @Override
  public Integer call() throws Exception {
    Path file = way.to.toAbsolutePath();
    LogSpools log = places.find(target).get(0);
    List<SpoolFacts> spools = log.shipped();
    requireDead(log, spools);
    if (way.discard) {
      return discard(log);
    }
    requireUsable(log, file);
    if (log.hasAttributes()) {
      throw ToolException.refused(
          "%s holds records for %s, not for a file; its next start ships them, and cat --unshipped prints them"
              .formatted(log.path(), log.log()));
    }
    List<String> text = new ArrayList<>();
    Voice voice =
        new Voice() {
          @Override
          public void info(String done) {
            text.add(done);
          }

          @Override
          public void warn(String warning) {
            output.note(warning);
          }
        };
    SpoolMove move = new SpoolMove(log, file, voice);
    move.dump();
    int dumps = text.size();
    SpoolMove.Moved moved = move.run();
    long left = left(log);
    text.add(
        "%s records moved to %s, %s%s left"
            .formatted(
                Text.count(moved.written()),
                file,
                moved.found() == 0 ? "" : Text.count(moved.found()) + " were in the log already, ",
                Text.count(left)));
    output.print(
        new Json()
            .put("file", file.toString())
            .put("moved", moved.written())
            .put("found", moved.found())
            .put("left", left)
            .put("dumps", dumps),
        text.toArray(String[]::new));
    return left == 0 && log.directories(SpoolFacts.Kind.LOOP).isEmpty() ? Main.OK : Main.FINDINGS;
  }

  private int discard(LogSpools log) throws IOException {
    long discarded = log.discard();
    long left = left(log); // if a process has begun to ship them meanwhile
    output.print(
        new Json().put("discarded", discarded).put("left", left),
        Text.count(discarded)
            + " records discarded"
            + (left == 0 ? "" : ", " + Text.count(left) + " left"));
    return left == 0 ? Main.OK : Main.FINDINGS;
  }

  private static void requireDead(LogSpools log, List<SpoolFacts> spools) throws IOException {
    for (SpoolFacts spool : spools) {
      requireDead(spool.owner(), spool.path());
      if (spool.kind() == SpoolFacts.Kind.SPOOL) {
        Verify.requireReadable(spool);
      }
    }
    requireDead(log.shipper(), log.path());
  }

  private static void requireDead(LockOwner owner, Path path) {
    if (owner.isHeld()) {
      throw ToolException.refused(
          "%s is in use by %s, which ships it; stop that first"
              .formatted(path, SpoolReport.process(owner)));
    }
  }

  /** A file that an interrupted move has begun may exist. */
  private void requireUsable(LogSpools log, Path file) throws IOException {
    Path directory = file.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw ToolException.notFound(
          "the directory of " + file + " does not exist; create it, or name another --to FILE");
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !append && !log.isCommittedIn(file)) {
      throw ToolException.refused(
          file + " exists; name a new --to FILE, or add --append to append to this one");
    }
  }

  private static long left(LogSpools log) throws IOException {
    return log.shipped().stream().mapToLong(SpoolFacts::unshipped).sum();
  }
}

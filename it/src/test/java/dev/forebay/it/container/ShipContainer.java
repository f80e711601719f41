package dev.forebay.it.container;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.apart.Ship;
import dev.forebay.it.support.Killable;
import dev.forebay.it.support.Program;
import dev.forebay.it.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A container whose first process ships for those of others: a sidecar. */
final class ShipContainer implements Killable {

  /** What it takes of the grace period of its container. */
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final Engine engine;
  private final String id;
  private final long pid;

  private ShipContainer(Engine engine, String id) {
    this.engine = engine;
    this.id = id;
    this.pid = engine.pid(id);
  }

  /**
   * Starts one, which sees logs and spools where a {@link LogContainer} does.
   *
   * @param logs what is mounted where the logs are
   */
  static ShipContainer start(Engine engine, Path logs, Path spool) throws Exception {
    List<Object> create = new ArrayList<>(List.of("create", "--network=none"));
    create.addAll(Engine.thisMachine());
    create.add("--user=" + Files.getAttribute(spool, "unix:uid") + ":0"); // sees the spool
    create.add(Engine.mount(Tool.jar().getParent(), Tool.jar().getParent()) + ",readonly");
    create.add(Engine.mount(logs, LogContainer.LOGS));
    create.add(Engine.mount(spool, LogContainer.SPOOL));
    create.addAll(List.of(Engine.IMAGE, Program.ofJdk("java")));
    create.addAll(Program.QUICK);
    create.add("-Xmx64m");
    create.addAll(Ship.arguments(LogContainer.SPOOL, "--grace", GRACE.toSeconds() + "s"));
    String id = engine.run(create.toArray());
    engine.run("start", id);
    return new ShipContainer(engine, id);
  }

  /** Records that it brought into the log. Known at its end. */
  long shipped() {
    return Ship.shipped(output());
  }

  /** Asks it to end, and has the engine kill it when the time is over; returns when it is gone. */
  void stop(Duration grace) {
    engine.run("stop", "--time=" + grace.toSeconds(), id);
  }

  /** Waits until it has said how many lines of a log it leaves, and returns that. */
  long awaitLeft(Path log) {
    Pattern said =
        Pattern.compile("([\\d,]+) lines of " + Pattern.quote(log.toString()) + " are left in");
    Await.process(said.pattern(), () -> said.matcher(output()).find());
    Matcher left = said.matcher(output());
    return left.find() ? Long.parseLong(left.group(1).replace(",", "")) : -1;
  }

  @Override
  public boolean isAlive() {
    return Engine.isAlive(pid);
  }

  @Override
  public void signal(String name) throws IOException {
    Command.run("kill", "-" + name, String.valueOf(pid));
  }

  @Override
  public int awaitEnd() {
    return Integer.parseInt(engine.run("wait", id));
  }

  @Override
  public String output() {
    return engine.run("logs", id);
  }

  @Override
  public void close() {
    engine.run("rm", "--force", id);
  }

  @Override
  public String toString() {
    return output();
  }
}

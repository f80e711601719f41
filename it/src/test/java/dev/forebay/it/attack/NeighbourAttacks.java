package dev.forebay.it.attack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.Command;
import dev.forebay.it.support.Xml;
import dev.forebay.tiered.TieredAppender;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What other processes leave in the directory of the spools, or take from it. */
final class NeighbourAttacks {

  private NeighbourAttacks() {}

  /**
   * Logs of others, whose process was killed while none of them could be written. Those beside the
   * attacked log reach their files; the rest must not matter.
   *
   * @param beside how many lie in its directory
   * @param elsewhere how many lie in another one
   */
  record DeadNeighbours(int beside, int elsewhere) implements Attack {

    private static final int EVENTS = 10;

    @Override
    public Target target() {
      return Target.PROCESSES;
    }

    private List<Path> logs(Field field) {
      List<Path> logs = new ArrayList<>();
      for (int i = 0; i < beside + elsewhere; i++) {
        Path directory = i < beside ? field.logDirectory() : field.root().resolve("neighbours");
        logs.add(directory.resolve("neighbour-" + i + ".log"));
      }
      return logs;
    }

    /** Their places must be as they were found. */
    private static boolean canBeJudged(Field field) {
      return field.isUntouched(Target.SPOOL) && field.isUntouched(Target.LOG);
    }

    @Override
    public void arrange(Field field) throws Exception {
      if (!canBeJudged(field)) {
        return;
      }
      List<Path> logs = logs(field);
      List<String> arguments = new ArrayList<>(List.of(field.spool().toString()));
      for (Path log : logs) {
        Files.createDirectories(log); // cannot be written
        arguments.add(log.toString());
      }
      assertThat(ChildJvm.run(Killed.class, arguments.toArray(String[]::new)))
          .endsWith("unconfirmed 0\n");
      for (Path log : logs) {
        Files.delete(log);
      }
    }

    @Override
    public void outside(Field field, Life victim) throws Exception {
      if (!canBeJudged(field)) {
        return;
      }
      Attacks.requireDelivery(victim, toString());
      List<String> all = new ArrayList<>();
      for (int event = 0; event < EVENTS; event++) {
        all.add(Judge.THEIRS + event);
      }
      for (Path log : logs(field).subList(0, beside)) {
        Await.within(Attacks.PATIENCE, () -> !victim.isAlive() || lines(log).size() >= EVENTS);
        if (victim.isAlive()) {
          assertThat(lines(log)).as("%s", log).isEqualTo(all);
        }
      }
    }

    private static List<String> lines(Path log) throws IOException {
      return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    /** The process that is killed. */
    static final class Killed {

      private Killed() {}

      /**
       * Logs to all of them.
       *
       * @param args directory of the spools, then the logs
       */
      public static void main(String[] args) throws Exception {
        StringBuilder appenders = new StringBuilder();
        StringBuilder refs = new StringBuilder();
        for (int i = 1; i < args.length; i++) {
          String places = Xml.places(Path.of(args[i]), Path.of(args[0]));
          appenders.append(
              "<appender name=\"%d\" class=\"%s\">%s%s<durability>call</durability><durabilityTimeout>20 seconds</durabilityTimeout></appender>"
                  .formatted(i, TieredAppender.class.getName(), places, Xml.MESSAGES));
          refs.append("<appender-ref ref=\"%d\"/>".formatted(i));
        }
        String xml =
            "<configuration>%s<root level=\"INFO\">%s</root></configuration>"
                .formatted(appenders, refs);
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        for (int event = 0; event < EVENTS; event++) {
          root.info(Judge.THEIRS + "{}", event);
        }
        long unconfirmed = 0;
        for (int i = 1; i < args.length; i++) {
          unconfirmed +=
              ((TieredAppender) root.getAppender(String.valueOf(i))).snapshot().unconfirmed();
        }
        System.out.println("unconfirmed " + unconfirmed);
        Runtime.getRuntime().halt(0);
      }
    }
  }

  /** Somebody cleans up the locks. */
  record LocksRemoved(int times) implements Attack {
    @Override
    public Target target() {
      return Target.PROCESSES; // with a second shipper both would ship, and a WARN says so
    }

    @Override
    public void outside(Field field, Life victim) throws Exception {
      for (int i = 0; i < times; i++) {
        Attacks.pass(200);
        Command.exitCode(
            "find", field.spool().toString(), "-name", "ship.lock*", "-type", "f", "-delete");
      }
    }
  }
}

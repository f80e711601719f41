package dev.forebay.it.attack;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import java.util.List;
import java.util.Random;

/** Attacks by the application itself. */
final class LifeAttacks {

  private LifeAttacks() {}

  /** A second appender with the same file: they take turns. */
  @Attack.On(Attack.Target.PROCESSES) // another shipper, as a second process is
  record SecondAppender() implements Attack {

    @Override
    public void arrange(Field field) {
      field.alsoConfigure(
          """
          <appender name="SECOND" class="dev.forebay.tiered.TieredAppender">
            <file>%s</file><spoolDirectory>%s</spoolDirectory>%s
          </appender>
          <logger name="second" level="TRACE" additivity="false"><appender-ref ref="SECOND"/></logger>
          """
              .formatted(field.log(), field.spool(), Message.PATTERN));
    }

    @Override
    public void inside(Victim victim) {
      for (int i = 0; i < 1000; i++) {
        victim.context().getLogger("second").info(Judge.THEIRS + "{}", i);
      }
      var second = victim.context().getLogger("second").getAppender("SECOND");
      if (second == null || !second.isStarted()) {
        victim.fault("the second appender was refused");
      }
      if (!Await.within(Attacks.PATIENCE, () -> isSaid(victim))) {
        victim.fault("nothing says that two share a name");
      }
    }

    /** Of two spools in the heap neither knows of the other, and lines mix, as documented. */
    private static boolean isSaid(Victim victim) {
      return victim.context().getStatusManager().getCopyOfStatusList().stream()
          .map(Object::toString)
          .anyMatch(text -> text.matches("(?s).*(Another appender ships to | of the heap).*"));
    }
  }

  /** stop() and start() of the same object. */
  @Attack.On(Attack.Target.LIFE)
  record Restarts(int times, int pauseMs) implements Attack {
    @Override
    public void inside(Victim victim) {
      for (int i = 0; i < times; i++) {
        Attacks.pass(100 + pauseMs);
        victim.appender().stop();
        Attacks.pass(pauseMs);
        victim.startAppender();
      }
    }
  }

  /** The context is reset and configured again. */
  @Attack.On(Attack.Target.LIFE)
  record Reconfigurations(int times, int pauseMs) implements Attack {
    @Override
    public void arrange(Field field) {
      field.allow(Judge.UNOFFERED);
    }

    @Override
    public void inside(Victim victim) throws Exception {
      for (int i = 0; i < times; i++) {
        Attacks.pass(100 + pauseMs);
        victim.context().reset();
        victim.configure();
      }
    }
  }

  /** A second process logs into the same file and ends first: what it logged must get there. */
  @Attack.On(Attack.Target.PROCESSES)
  record SecondProcess() implements Attack {

    static final String NAME = "b";

    @Override
    public void outside(Field field, Life victim) throws Exception {
      Life second = field.start(NAME);
      second.calmWithoutDelivery();
      second.end(Scenario.End.STOP);
      if (field.roll() == Roll.NONE && field.isUntouched(Attack.Target.LOG)) {
        String text = NAME + "-freshERROR-";
        String log = field.log().toString();
        if (!Await.within(
            Attacks.PATIENCE, () -> Command.exitCode("grep", "-qsa", text, log) == 0)) {
          throw new AssertionError("the lines of a second process that ended are not in the log");
        }
      }
    }
  }

  /** Threads that log are interrupted all the time. */
  @Attack.On(Attack.Target.THREADS)
  record Interrupts(long seed) implements Attack {
    @Override
    public void inside(Victim victim) {
      Random random = new Random(seed);
      for (int i = 0; i < 500; i++) {
        Attacks.pass(random.nextInt(5));
        List<Thread> producers = victim.producers();
        if (!producers.isEmpty()) {
          producers.get(random.nextInt(producers.size())).interrupt();
        }
      }
    }
  }

  /** The application interrupts all threads it finds, ours too. */
  @Attack.On(Attack.Target.THREADS)
  record InterruptedAgents(long seed) implements Attack {
    @Override
    public void inside(Victim victim) {
      Random random = new Random(seed);
      for (int i = 0; i < 300; i++) {
        Attacks.pass(random.nextInt(8));
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
          if (thread.getName().startsWith("forebay-") && random.nextInt(3) == 0) {
            thread.interrupt();
          }
        }
      }
    }
  }
}

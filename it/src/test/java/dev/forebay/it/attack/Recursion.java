package dev.forebay.it.attack;

import dev.forebay.it.attack.Message.Size;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Runaway recursion that logs, on threads with small stacks, in code that is not compiled yet.
 *
 * @param caughtDeep whether each level catches the error, or only the first one
 * @param parameters whether the message has arguments
 * @param lastLevels logs only in so many levels before the end of the stack, so that the ring has
 *     room there; 0: in all
 * @param stepKb by how much the stack of a round is larger than that of the one before
 */
@Attack.On(Attack.Target.STACK)
record Recursion(
    int stackKb,
    int stepKb,
    int rounds,
    int lastLevels,
    boolean caughtDeep,
    boolean parameters,
    Level level)
    implements Attack {

  private static final int MESSAGES = 6000;

  static Recursion drawn(Random random) {
    return new Recursion(
        160 + 8 * random.nextInt(45),
        random.nextInt(8),
        1 + random.nextInt(25),
        Scenario.pick(random, 0, 10, 30, 100),
        random.nextBoolean(),
        random.nextBoolean(),
        Scenario.pick(random, Level.values()));
  }

  @Override
  public void arrange(Field field) {
    field.allow(Judge.UNOFFERED); // where the stack ends before the appender
  }

  @Override
  public void inside(Victim victim) throws Exception {
    Victim.Producer producer = victim.producer("deep", level, Size.BARE);
    for (int round = 0; round < rounds; round++) {
      Message[] messages = new Message[MESSAGES];
      for (int i = 0; i < messages.length; i++) {
        messages[i] = producer.next();
      }
      long stackBytes = 1024L * (stackKb + (long) stepKb * (round % 16));
      int from = 0;
      if (lastLevels > 0) {
        Run measured = new Run(victim.logger(), messages, Integer.MAX_VALUE);
        play(measured, stackBytes);
        from = Math.max(0, measured.deepest - lastLevels);
      }
      play(new Run(victim.logger(), messages, from), stackBytes);
    }
  }

  private static void play(Run run, long stackBytes) throws InterruptedException {
    Thread thread = new Thread(null, run, "deep", stackBytes);
    thread.start();
    thread.join();
  }

  /** A round. Nothing is called between the levels but the logger. */
  private final class Run implements Runnable {

    private final Logger logger;
    private final String[] headers;
    private final String[] texts;
    private final int from;
    private int next;
    private int deepest;

    Run(Logger logger, Message[] messages, int from) {
      this.logger = logger;
      this.from = from;
      headers = new String[messages.length];
      texts = new String[messages.length];
      for (int i = 0; i < messages.length; i++) {
        String line = messages[i].line();
        headers[i] = messages[i].producer();
        texts[i] = parameters ? line.substring(headers[i].length() + 1) : line;
      }
    }

    @Override
    public void run() {
      try {
        visit(0);
      } catch (StackOverflowError e) {
        // the request failed
      }
    }

    private int visit(int depth) {
      deepest = depth;
      if (depth < from) {
        return visit(depth + 1) + 1;
      }
      int i = next++;
      if (i >= texts.length) {
        return depth;
      }
      if (caughtDeep) {
        try {
          call(i);
        } catch (StackOverflowError e) {
          // goes on as if nothing were
        }
      } else {
        call(i);
      }
      return visit(depth + 1) + 1;
    }

    private void call(int i) {
      if (parameters) {
        logger.atLevel(level).log("{} {}", headers[i], texts[i]);
      } else {
        logger.atLevel(level).log(texts[i]);
      }
    }
  }
}

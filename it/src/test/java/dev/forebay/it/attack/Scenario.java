package dev.forebay.it.attack;

import dev.forebay.it.attack.Attack.Target;
import dev.forebay.it.attack.Message.Size;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.event.Level;

/**
 * What is played once: an appender, the threads that log, how the process ends, and the attacks.
 *
 * @param seed everything was drawn from it, or 0
 * @param settings elements of the appender
 * @param delayMs time from the attacks' start until the threads log
 */
record Scenario(
    long seed,
    boolean newestJdk,
    Roll roll,
    String settings,
    List<Source> sources,
    int delayMs,
    End end,
    List<Attack> attacks)
    implements Serializable {

  /** Makes neighbouring seeds different. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Others use the machine too. */
  private static final String LONG_STOP = "<maxFlushTime>5 seconds</maxFlushTime>";

  /** How the process ends, under load unless it stops. */
  enum End {
    STOP,
    EXIT,
    TERM,
    KILL
  }

  /** A thread that logs. */
  record Source(Size size, Level level, int burst, int pauseMs) implements Serializable {

    static Source drawn(Random random) {
      Size size = pick(random, Size.SMALL, Size.SMALL, Size.MEDIUM, Size.LARGE, Size.HUGE);
      int perSecond =
          switch (size) {
            case BARE, SMALL -> 2000;
            case MEDIUM -> 300;
            case LARGE -> 40;
            case HUGE -> 40;
          };
      int pauseMs = pick(random, 5, 20, 100, 1000, 2500);
      int burst = Math.max(1, perSecond * pauseMs / 1000);
      return new Source(size, pick(random, Level.values()), burst, pauseMs);
    }

    @Override
    public String toString() {
      return level + " " + size + " " + burst + "/" + pauseMs + "ms";
    }
  }

  /** A short one with a TieredAppender as it is by default, and two threads. */
  static Scenario plain(End end, Attack... attacks) {
    List<Source> sources =
        List.of(
            new Source(Size.SMALL, Level.INFO, 20, 10), new Source(Size.MEDIUM, Level.WARN, 5, 20));
    return new Scenario(0, false, Roll.NONE, LONG_STOP, sources, 0, end, List.of(attacks));
  }

  Scenario with(Roll other) {
    return new Scenario(seed, newestJdk, other, settings, sources, delayMs, end, attacks);
  }

  static Scenario drawn(long seed) {
    Random random = new Random(seed * GOLDEN);
    List<Source> sources = new ArrayList<>();
    if (random.nextInt(8) == 0) { // a crowd
      sources.addAll(Collections.nCopies(20, new Source(Size.SMALL, Level.DEBUG, 40, 20)));
    }
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      sources.add(Source.drawn(random));
    }
    List<Attack> attacks = attacks(random);
    boolean logIsTaken = attacks.stream().anyMatch(attack -> attack.target() == Target.LOG);
    Roll roll = !logIsTaken ? pick(random, Roll.values()) : Roll.NONE;
    return new Scenario(
        seed,
        random.nextInt(4) == 0,
        roll,
        settings(random),
        List.copyOf(sources),
        pick(random, 0, 0, 300, 1500),
        pick(random, End.STOP, End.STOP, End.EXIT, End.TERM, End.KILL),
        attacks);
  }

  private static List<Attack> attacks(Random random) {
    List<Attack> attacks = new ArrayList<>();
    Set<Target> taken = EnumSet.noneOf(Target.class);
    int wanted = 1 + random.nextInt(3);
    while (attacks.size() < wanted) {
      Attack attack = Attacks.drawn(random);
      if (!meetsASecondShipper(attack, taken, attacks) && taken.add(attack.target())) {
        attacks.add(attack);
      }
    }
    return List.copyOf(attacks);
  }

  private static boolean meetsASecondShipper(Attack drawn, Set<Target> taken, List<Attack> others) {
    return drawn.target() == Target.PROCESSES
        ? others.stream().anyMatch(Attack::removesLocks)
        : drawn.removesLocks() && taken.contains(Target.PROCESSES);
  }

  private static String settings(Random random) {
    String ring =
        pick(
            random,
            "",
            "",
            "<ringBufferSize>64</ringBufferSize>",
            "<ringBufferSize>1024</ringBufferSize>",
            "<appendTimeout>50 milliseconds</appendTimeout>");
    String spool =
        pick(
            random,
            "",
            "",
            "<fsync>never</fsync>",
            "<fsync>always</fsync>",
            "<fsync>50 milliseconds</fsync>",
            "<segmentSize>64KB</segmentSize><spoolSize>512KB</spoolSize>",
            "<spoolSize>16MB</spoolSize>");
    String durability =
        pick(
            random,
            "",
            "",
            "",
            "<durability>call</durability><durabilityTimeout>200 milliseconds</durabilityTimeout>");
    return ring + spool + durability + LONG_STOP;
  }

  @SafeVarargs
  static <T> T pick(Random random, T... of) {
    return of[random.nextInt(of.length)];
  }

  @Override
  public String toString() {
    return "seed %d: %s%s %s %s after %d ms, end %s; attacks: %s"
        .formatted(
            seed,
            roll,
            newestJdk ? " jdk25" : "",
            settings.replaceAll("</\\w+>", " ").replace('<', ' ').replace('>', '='),
            sources,
            delayMs,
            end,
            attacks.stream().map(Object::toString).collect(Collectors.joining(" + ")));
  }
}

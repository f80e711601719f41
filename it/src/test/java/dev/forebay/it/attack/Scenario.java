package dev.forebay.it.attack;

import dev.forebay.it.attack.Attack.Target;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What is played once: an appender, how the process ends, and the attacks. Two threads log.
 *
 * @param seed everything was drawn from it, or 0
 * @param settings elements of the appender
 */
record Scenario(long seed, Roll roll, String settings, End end, List<Attack> attacks) {

  /** Makes neighbouring seeds different. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private static final String DURABLE =
      "<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>";

  /** How the process ends, under load unless it stops. */
  enum End {
    STOP,
    EXIT,
    TERM,
    KILL
  }

  /** How the log is rolled. Nothing is ever deleted, so that everything can be judged. */
  enum Roll {
    NONE,
    SIZE,
    GZIP,
    WINDOW
  }

  /** A short one with a TieredAppender as it is by default. */
  static Scenario plain(Roll roll, End end, Attack... attacks) {
    return new Scenario(0, roll, "", end, List.of(attacks));
  }

  static Scenario drawn(long seed) {
    Random random = new Random(seed * GOLDEN);
    List<Attack> attacks = new ArrayList<>();
    Set<Target> taken = EnumSet.noneOf(Target.class);
    int wanted = 1 + random.nextInt(Target.values().length);
    while (attacks.size() < wanted) {
      Attack attack = Attack.drawn(random);
      if (taken.add(attack.target())) {
        attacks.add(attack);
      }
    }
    return new Scenario(
        seed,
        taken.contains(Target.LOG) ? Roll.NONE : pick(random, Roll.values()),
        pick(random, "", "<fsync>always</fsync>", "<segmentSize>64KB</segmentSize>", DURABLE),
        taken.contains(Target.THREADS)
            ? pick(random, End.STOP, End.KILL)
            : pick(random, End.values()),
        List.copyOf(attacks));
  }

  boolean isDurable() {
    return settings.equals(DURABLE);
  }

  boolean interrupts() {
    return attacks.stream().anyMatch(attack -> attack.target() == Target.THREADS);
  }

  @SafeVarargs
  static <T> T pick(Random random, T... of) {
    return of[random.nextInt(of.length)];
  }
}

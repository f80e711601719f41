package dev.forebay.tiered.jvm;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What the JVM may begin a line with, in the order in which it does, whatever was asked for. */
enum Decorator {
  TIME("time", "t"),
  UTC_TIME("utctime", "utc"),
  UPTIME("uptime", "u"),
  TIME_MILLIS("timemillis", "tm"),
  UPTIME_MILLIS("uptimemillis", "um"),
  TIME_NANOS("timenanos", "tn"),
  UPTIME_NANOS("uptimenanos", "un"),
  HOSTNAME("hostname", "hn"),
  PID("pid", "p"),
  TID("tid", "ti"),
  LEVEL("level", "l"),
  TAGS("tags", "tg");

  /** Any of these tells when the line was written. */
  static final Set<Decorator> TIMES = EnumSet.range(TIME, UPTIME_NANOS);

  private final String name;
  private final String shortName;

  Decorator(String name, String shortName) {
    this.name = name;
    this.shortName = shortName;
  }

  /** Those in a list as {@code -Xlog} takes it; the JVM refuses one with other names. */
  static Set<Decorator> parse(String list) {
    Set<String> names = Set.copyOf(List.of(list.split(",", -1)));
    Set<Decorator> found = EnumSet.noneOf(Decorator.class);
    for (Decorator decorator : values()) {
      if (names.contains(decorator.name) || names.contains(decorator.shortName)) {
        found.add(decorator);
      }
    }
    return found;
  }
}

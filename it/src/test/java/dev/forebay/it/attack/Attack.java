package dev.forebay.it.attack;

import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * One thing that is done to an application that logs. A record of what was drawn for it; its text
 * stands in the report.
 */
interface Attack extends Serializable {

  /** What it is done to, in the order of arranging. Two of a scenario never meet in the same. */
  enum Target {
    LOG,
    SPOOL,
    STACK,
    MEMORY,
    NAMES,
    CONFIGURATION,
    LIFE,
    PROCESSES,
    THREADS
  }

  /** Says so of an attack. */
  @Retention(RetentionPolicy.RUNTIME)
  @interface On {
    Target value();
  }

  default Target target() {
    return getClass().getAnnotation(On.class).value();
  }

  /** Whether it removes ship locks: with a second shipper both would ship, and a WARN says so. */
  default boolean removesLocks() {
    return false;
  }

  /** Before the process starts: its options, its configuration, what it finds. */
  default void arrange(Field field) throws Exception {}

  /** By others, while the process logs; leaves everything as it was, unless that is the attack. */
  default void outside(Field field, Life victim) throws Exception {}

  /** In the process, on a thread of its own, beside those that log. */
  default void inside(Victim victim) throws Exception {}
}

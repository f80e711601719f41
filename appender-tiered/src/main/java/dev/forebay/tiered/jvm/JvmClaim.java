package dev.forebay.tiered.jvm;

import org.jspecify.annotations.Nullable;

/**
 * The claim of one appender on the log of this JVM, across class loaders: two would read every line
 * twice, and a second output costs time in every pause. System properties are the one map that all
 * class loaders share; the value names the appender.
 */
final class JvmClaim {

  private static final String PROPERTY = "dev.forebay.jvm.log";

  /** For messages of other appenders; distinguishes appenders of the same name. */
  private final String owner;

  JvmClaim(String owner) {
    this.owner = owner + " #" + Integer.toHexString(hashCode());
  }

  /** Claims the log; returns the appender that has it, or null if we do. */
  @Nullable String take() {
    Object before = System.getProperties().putIfAbsent(PROPERTY, owner);
    return before == null || before.equals(owner) ? null : before.toString();
  }

  void release() {
    System.getProperties().remove(PROPERTY, owner);
  }
}

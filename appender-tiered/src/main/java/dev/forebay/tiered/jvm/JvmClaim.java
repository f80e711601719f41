package dev.forebay.tiered.jvm;

import org.jspecify.annotations.Nullable;

/**
 * That one appender of this JVM has its log, whichever class loader it is from: two would read
 * every line twice, and a second output costs time in every pause. System properties are the one
 * map that all class loaders share; the value says who has it.
 */
final class JvmClaim {

  private static final String PROPERTY = "dev.forebay.jvm.log";

  /** For messages of others; distinguishes appenders of the same name. */
  private final String owner;

  JvmClaim(String owner) {
    this.owner = owner + " #" + Integer.toHexString(hashCode());
  }

  /** Takes it; returns who has it, or null if that is us. */
  @Nullable String take() {
    Object before = System.getProperties().putIfAbsent(PROPERTY, owner);
    return before == null || before.equals(owner) ? null : before.toString();
  }

  void release() {
    System.getProperties().remove(PROPERTY, owner);
  }
}

package dev.forebay.tiered.jvm;

import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * That one appender of this JVM has its log, whichever class loader it is from: two would read
 * every line twice, and a second output costs time in every pause. System properties are the one
 * map that all class loaders share; the value says who has it.
 */
final class JvmClaim {

  private static final String PROPERTY = "dev.forebay.jvm.log";

  private final Properties shared;
  private final String owner;

  /** Distinguishes appenders of the same name. */
  private @Nullable String held;

  /**
   * @param owner for messages of others
   */
  JvmClaim(Properties shared, String owner) {
    this.shared = shared;
    this.owner = owner;
  }

  /** Takes it; returns who has it, or null if that is us. */
  @Nullable String take() {
    String mine = held == null ? owner + " #" + Integer.toHexString(hashCode()) : held;
    Object before = shared.putIfAbsent(PROPERTY, mine);
    if (before == null || before.equals(held)) {
      held = mine;
      return null;
    }
    return before.toString();
  }

  void release() {
    String mine = held;
    held = null;
    if (mine != null) {
      shared.remove(PROPERTY, mine);
    }
  }
}

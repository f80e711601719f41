package dev.forebay.tiered.ship;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A place for records that is not a file. It has no path, so each of the processes that run at once
 * has a slot of its own for it.
 */
public interface Target {

  /** Name for messages; the same at each start. */
  String name();

  /**
   * The place of records for it, not opened yet.
   *
   * @param header of the encoder, for the first record
   * @param footer likewise, for the last one
   * @param lineEnd what the encoder is known to end each event with; nothing if that is not known
   */
  Destination destination(byte[] header, byte[] footer, byte[] lineEnd, ShippingListener listener);

  /** Whether records begin with {@linkplain dev.forebay.tiered.spool.Attributes attributes}. */
  default boolean needsAttributes() {
    return false;
  }

  /**
   * What another process needs to put records there, with {@code kind} for what makes the
   * destination from it; null if only this process can. Accesses nothing. May hold passwords.
   */
  default @Nullable Map<String, String> description() {
    return null;
  }
}

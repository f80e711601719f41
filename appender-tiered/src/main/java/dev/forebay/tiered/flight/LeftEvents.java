package dev.forebay.tiered.flight;

import dev.forebay.tiered.spool.InstanceId;

/** The events of loops that are left to a later start. For the shipper's thread. */
public interface LeftEvents {

  /** A loop is left, and its events with it: they stay held. */
  void left(InstanceId loop, long events);

  /** The loop of a dead process, or one that was left, is deleted. */
  void gone(InstanceId loop);
}

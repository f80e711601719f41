package dev.forebay.tiered.ship;

/** What a queue was at its last look for the ship locks of its directories. */
enum Role {
  /** Another process ships, or another shipper of this one, with which it cannot share. */
  WAITING,
  /** Another shipper of this process, its host, ships for it. */
  GUEST,
  /** It holds them all. */
  HOST,
  /** It takes in nothing more. */
  CLOSED
}

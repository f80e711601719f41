package dev.forebay.it.gatling;

import java.time.Duration;

/**
 * How much load: one user more each second, each with so many requests back to back.
 *
 * @param users so many seconds the load takes, at least
 * @param requests of each user
 */
record GatlingLoad(int users, int requests) {

  /** Until the disk gets sick: 8 s of 20. */
  Duration warmUp() {
    return Duration.ofMillis(users * 400L);
  }

  /** While it is: 5 s of 20. */
  Duration window() {
    return Duration.ofMillis(users * 250L);
  }

  long allRequests() {
    return (long) users * requests;
  }
}

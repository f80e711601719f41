package dev.forebay.it.gatling;

import dev.forebay.it.support.ChildReports;
import java.time.Duration;
import java.util.List;

/**
 * How much load: one user more each second, each with so many requests back to back.
 *
 * @param users so many seconds the load takes, at least
 * @param requests of each user
 */
record GatlingLoad(int users, int requests) {

  private static final int LONG = 10;

  /** Until the disk gets sick: 8 s of 20. */
  Duration warmUp() {
    return Duration.ofMillis(users * 400L);
  }

  /** While it is: 5 s of 20. */
  Duration window() {
    return Duration.ofMillis(users * 250L);
  }

  /** Options of the JVM that makes it: one that ends soon is not worth the work of a compiler. */
  List<String> jvmOptions() {
    return users < LONG ? ChildReports.QUICK : List.of("-XX:-UsePerfData");
  }

  long allRequests() {
    return (long) users * requests;
  }
}

package dev.forebay.boot;

import java.util.Map;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;

/** The health of the log in Spring Boot 3. */
final class Health3 implements HealthIndicator {

  /** Unknown to Boot, which therefore goes on answering 200. */
  private static final Status DEGRADED = new Status("DEGRADED");

  private final LogHealth log;

  Health3(LogHealth log) {
    this.log = log;
  }

  @Override
  public Health health() {
    Map<String, Map<String, Object>> details = log.details();
    return Health.status(LogHealth.isDegraded(details) ? DEGRADED : Status.UP)
        .withDetails(details)
        .build();
  }
}

package dev.forebay.it.attack;

import java.nio.file.Path;

/** How the log is rolled. Nothing is ever deleted, so that everything can be judged. */
enum Roll {
  NONE(""),
  SIZE(""),
  GZIP(".gz"),
  ZIP(".zip"),
  WINDOW(""),
  /** A log with a name of its own for each run. */
  RUN("");

  private final String packed;

  Roll(String packed) {
    this.packed = packed;
  }

  /** The log of a life, the lives in alphabetical order. */
  Path log(Path directory, String life) {
    return directory.resolve(this == RUN ? "app-" + (int) life.charAt(0) + ".log" : "app.log");
  }

  /** Names of archives. */
  String pattern(Path directory) {
    return directory + "/app-%d{yyyy-MM-dd}.%i.log" + packed;
  }

  String xml(Path directory, boolean large) {
    return switch (this) {
      case NONE, RUN -> "";
      case WINDOW ->
          """
          <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
            <fileNamePattern>%s/app.%%i.log</fileNamePattern><maxIndex>20</maxIndex>
          </rollingPolicy>
          <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
            <maxFileSize>%s</maxFileSize>
          </triggeringPolicy>
          """
              .formatted(directory, large ? "20MB" : "2MB");
      default ->
          """
          <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
            <fileNamePattern>%s</fileNamePattern><maxFileSize>%s</maxFileSize>
          </rollingPolicy>
          """
              .formatted(pattern(directory), large ? "2MB" : "100KB");
    };
  }
}

package dev.forebay.it.gatling;

import java.nio.file.Path;

/**
 * The Logback configuration of an application under load: all that it logs, from the level of the
 * appender on, counted and then given to it.
 *
 * @param capacity events that the appender may hold in memory
 * @param logs the directory of the log
 * @param spool where it may spool
 */
record GatlingLogging(GatlingAppender appender, int capacity, Path logs, Path spool) {

  /** Of the ring in the well-known benchmark. */
  static final int USUAL_CAPACITY = 32_768;

  Path active() {
    return logs.resolve("app.log");
  }

  /**
   * As XML.
   *
   * @param counter the class of an appender that counts
   */
  String configuration(String counter) {
    return """
    <configuration>
      <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
        <filter class="ch.qos.logback.classic.filter.ThresholdFilter"><level>WARN</level></filter>
        <encoder><pattern>%%-5level %%logger{15} - %%message%%n%%xException{10}</pattern></encoder>
      </appender>
      <appender name="COUNT" class="%s"/>
      %s
      <root level="%s">
        <appender-ref ref="COUNT"/><appender-ref ref="JSON"/><appender-ref ref="STDOUT"/>
      </root>
    </configuration>
    """
        .formatted(counter, appender.xml(this), appender.level());
  }
}

/** A Logback appender with a spool on tmpfs in front of a durable, rolling log file. */
module dev.forebay.tiered {
  requires transitive dev.forebay.core;
  requires static org.jspecify;

  exports dev.forebay.tiered;
}

/** A Logback appender with a spool on tmpfs in front of a durable, rolling log file. */
module dev.forebay.tiered {
  requires transitive dev.forebay.core;
  requires java.management;
  requires jdk.net;
  requires static org.jspecify;

  exports dev.forebay.jvm;
  exports dev.forebay.tiered;
}

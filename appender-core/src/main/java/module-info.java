/** Logback appenders whose log calls never wait: the ring in front of any other appenders. */
module dev.forebay.core {
  requires transitive ch.qos.logback.classic;
  requires transitive ch.qos.logback.core;
  requires transitive org.slf4j;
  requires java.management;
  requires static org.jspecify;

  exports dev.forebay;
  exports dev.forebay.observe;
  exports dev.forebay.agent to
      dev.forebay.tiered,
      dev.forebay.kafka,
      dev.forebay.otlp;
  exports dev.forebay.pipeline to
      dev.forebay.tiered,
      dev.forebay.kafka,
      dev.forebay.otlp;
  exports dev.forebay.redact to
      dev.forebay.tiered;
}

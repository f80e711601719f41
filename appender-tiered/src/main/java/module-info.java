/** A Logback appender with a spool on tmpfs in front of a durable, rolling log file. */
@SuppressWarnings("module") // built later
module dev.forebay.tiered {
  requires transitive dev.forebay.core;
  requires java.management;
  requires jdk.net;
  requires static org.jspecify;

  exports dev.forebay.jvm;
  exports dev.forebay.tiered;
  exports dev.forebay.tiered.apart to
      dev.forebay.kafka,
      dev.forebay.otlp;
  exports dev.forebay.tiered.checkpoint to
      dev.forebay.kafka,
      dev.forebay.otlp;
  exports dev.forebay.tiered.disk to
      dev.forebay.kafka,
      dev.forebay.otlp;
  exports dev.forebay.tiered.encode to
      dev.forebay.json,
      dev.forebay.otlp;
  exports dev.forebay.tiered.identity to
      dev.forebay.kafka,
      dev.forebay.otlp;
  exports dev.forebay.tiered.ship to
      dev.forebay.kafka,
      dev.forebay.otlp;
  exports dev.forebay.tiered.spool to
      dev.forebay.kafka,
      dev.forebay.otlp;

  uses dev.forebay.tiered.apart.DestinationKind;
}

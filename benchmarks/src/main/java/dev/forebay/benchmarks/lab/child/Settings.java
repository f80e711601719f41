package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;

/**
 * The system properties by which each logging system finds its configuration {@code /lab/<peer>.*},
 * and by which that finds its directories, its level and whether it has to keep all events. Set
 * before the first call of SLF4J.
 */
final class Settings {

  private Settings() {}

  static void set(Assignment assignment) {
    boolean keeping = assignment.scenario().load() == Scenario.Load.UNPACED_KEEPING;
    System.setProperty("lab.logs", assignment.logs().toString());
    System.setProperty("lab.spool", assignment.spool().toString());
    System.setProperty("lab.limits", keeping ? "keeping" : "default");
    System.setProperty("lab.level", assignment.scenario().level(assignment.peer()).name());
    setConfiguration(assignment.peer());
  }

  private static void setConfiguration(Peer peer) {
    switch (peer) {
      case LOG4J2, LOG4J2_DISRUPTOR4 ->
          System.setProperty("log4j2.configurationFile", "classpath:lab/log4j2.xml");
      case FOREBAY_FLIGHT_BARE -> {
        System.setProperty("lab.encoder", FreeEncoder.class.getName());
        System.setProperty("logback.configurationFile", "lab/forebay-flight.xml");
      }
      case TINYLOG -> System.setProperty("tinylog.configuration", "lab/tinylog.properties");
      default -> System.setProperty("logback.configurationFile", "lab/" + peer.id() + ".xml");
    }
  }
}

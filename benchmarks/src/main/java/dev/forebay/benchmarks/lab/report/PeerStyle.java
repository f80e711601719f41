package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Colours and dashes of a peer, the same in all plots. Kinds of the same appender share a colour
 * and differ by dashes.
 */
record PeerStyle(String light, String dark, String dash, double width) {

  private static final String SOLID = "none";

  static PeerStyle of(Peer peer) {
    return switch (peer) {
      case FOREBAY -> new PeerStyle("#0a58d6", "#5ba7ff", SOLID, 3.6);
      case FOREBAY_CALL -> new PeerStyle("#0a58d6", "#5ba7ff", "2 3", 2.6);
      case FOREBAY_FLIGHT -> new PeerStyle("#0891b2", "#4fd6f0", SOLID, 3.0);
      case FOREBAY_FLIGHT_BARE -> new PeerStyle("#0891b2", "#4fd6f0", "6 3", 1.7);
      case FOREBAY_RING -> new PeerStyle("#0a58d6", "#5ba7ff", "9 4", 2.6);
      case FILE -> new PeerStyle("#d2691e", "#f2a15f", SOLID, 1.7);
      case FILE_UNFLUSHED -> new PeerStyle("#d2691e", "#f2a15f", "6 3", 1.7);
      case ASYNC -> new PeerStyle("#c4122f", "#ff6b74", SOLID, 1.7);
      case ASYNC_NEVER_BLOCK -> new PeerStyle("#c4122f", "#ff6b74", "6 3", 1.7);
      case LOGSTASH_DISRUPTOR -> new PeerStyle("#c026a8", "#f284de", SOLID, 1.7);
      case LOG4J2 -> new PeerStyle("#15803d", "#4fd07f", SOLID, 1.7);
      case LOG4J2_DISRUPTOR4 -> new PeerStyle("#15803d", "#4fd07f", "6 3", 1.7);
      case CHRONICLE -> new PeerStyle("#6d3bd1", "#b497ff", SOLID, 1.7);
      case TINYLOG -> new PeerStyle("#a17c00", "#e3c645", SOLID, 1.7);
      case NONE -> new PeerStyle("#6b7280", "#9aa3b2", SOLID, 1.2);
    };
  }

  /** Name at the end of a line. */
  static String shortName(Peer peer) {
    return switch (peer) {
      case FOREBAY -> "TieredAppender";
      case FOREBAY_CALL -> "durable calls";
      case FOREBAY_FLIGHT -> "flight recorder";
      case FOREBAY_FLIGHT_BARE -> "free encoder";
      case FOREBAY_RING -> "NonBlocking";
      case FILE -> "RollingFile";
      case FILE_UNFLUSHED -> "unflushed";
      case ASYNC -> "AsyncAppender";
      case ASYNC_NEVER_BLOCK -> "neverBlock";
      case LOGSTASH_DISRUPTOR -> "logstash";
      case LOG4J2 -> "Log4j2";
      case LOG4J2_DISRUPTOR4 -> "Log4j2, Disr. 4";
      case CHRONICLE -> "Chronicle";
      case TINYLOG -> "tinylog";
      case NONE -> "floor";
    };
  }

  /** Class of the elements that have the colour of a peer. */
  static String css(Peer peer) {
    return "c-" + peer.id();
  }

  /** Style sheet: colours and dashes of all peers, and what the boxes of a legend do. */
  static String sheet() {
    String light = colours(PeerStyle::light);
    String dark = colours(PeerStyle::dark);
    String both = Summary.order().stream().map(PeerStyle::rules).collect(Collectors.joining());
    return light + "@media (prefers-color-scheme: dark) {\n" + dark + "}\n" + both;
  }

  private static String colours(Function<PeerStyle, String> scheme) {
    return Summary.order().stream()
        .map(peer -> ".%s { --c: %s; }\n".formatted(css(peer), scheme.apply(of(peer))))
        .collect(Collectors.joining());
  }

  /** A peer is hidden when its box is empty, and the others fade when its name is pointed at. */
  private static String rules(Peer peer) {
    return """
        .%1$s { --dash: %2$s; --w: %3$s; }
        figure:has(label.%1$s input:not(:checked)) .series.%1$s { display: none; }
        figure:has(label.%1$s:hover) .plot .series:not(.%1$s) { opacity: .15; }
        figure:has(label.%1$s:hover) .plot .series.%1$s { display: inline; }
        """
        .formatted(css(peer), of(peer).dash(), Markup.number(of(peer).width()));
  }
}

package dev.forebay.it.demo.app;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an application says of itself, in a line of JSON each time.
 *
 * @param port where it listens
 * @param calls how long its log calls took; empty until its end
 * @param longest the longest of each moment; as the calls
 * @param error the newest failure its appender admits, "" for none
 * @param hasEnded whether these are its last words
 */
public record Told(
    int port,
    Figures figures,
    Map<Phase, Latency> calls,
    Longest.Slots longest,
    String error,
    boolean hasEnded) {

  /** Nothing yet. */
  public static final Told NOTHING = of(0, Figures.NONE);

  /** In the midst of its life. */
  public static Told of(int port, Figures figures) {
    return new Told(port, figures, Map.of(), Longest.Slots.NONE, "", false);
  }

  /** At the end of its life. */
  static Told last(Figures figures) {
    return new Told(0, figures, Map.of(), Longest.Slots.NONE, "", true);
  }

  /** One line. */
  public String toLine() {
    return JsonMapper.shared().writeValueAsString(this);
  }

  /** Reads what {@link #toLine} wrote. */
  public static Told parse(String line) {
    return JsonMapper.shared().readValue(line, Told.class);
  }
}

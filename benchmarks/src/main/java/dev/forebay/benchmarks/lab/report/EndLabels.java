package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Names of the lines of a plot, right of their ends and none over another. */
final class EndLabels {

  /** Height of a label, in the coordinates of a {@link Frame}. */
  static final double HEIGHT = 47;

  private static final double STEP = 4;

  /** How far the lines that lead to labels reach out. */
  private static final double LEADER = 8;

  private final Map<Peer, Double> places;

  private EndLabels(Map<Peer, Double> places) {
    this.places = places;
  }

  /**
   * Places them as near to the ends as there is room, those that are lit first.
   *
   * @param ends height of the end of each line
   */
  static EndLabels of(Map<Peer, Double> ends, List<Peer> lit) {
    Map<Peer, Double> places = new EnumMap<>(Peer.class);
    List<Peer> litFirst = new ArrayList<>(ends.keySet());
    litFirst.sort(Comparator.comparing((Peer peer) -> !lit.contains(peer)));
    litFirst.forEach(peer -> places.put(peer, nearest(ends.getOrDefault(peer, 0.0), places)));
    return new EndLabels(places);
  }

  private static double nearest(double end, Map<Peer, Double> taken) {
    for (double off = 0; off <= Frame.SIDE; off += STEP) {
      for (double place : new double[] {end + off, end - off}) {
        boolean isFree =
            taken.values().stream().noneMatch(other -> Math.abs(other - place) < HEIGHT);
        if (place >= 0 && place <= Frame.SIDE && isFree) {
          return place;
        }
      }
    }
    return end;
  }

  /** Height of a label. */
  double of(Peer peer) {
    return places.getOrDefault(peer, 0.0);
  }

  /** From the end of a line to its label. */
  void leader(Markup page, Peer peer, double x, double y) {
    page.leaf(
        "path",
        "class",
        "leader",
        "d",
        "M" + Frame.at(x, y) + "L" + Frame.at(Frame.SIDE + LEADER, of(peer)));
  }

  /** All of them. */
  void write(Markup page) {
    places.forEach(
        (peer, place) ->
            page.element(
                "span",
                PeerStyle.shortName(peer),
                "class",
                "end series " + PeerStyle.css(peer),
                "style",
                "top:" + Frame.percent(place)));
  }
}

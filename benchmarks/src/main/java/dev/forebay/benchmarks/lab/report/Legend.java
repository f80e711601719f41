package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.List;
import java.util.stream.Stream;

/** Names of the peers of a plot with their lines; the boxes hide and show them without a script. */
final class Legend {

  /** More lines than these cannot be told apart. */
  static final int LIT_AT_MOST = 4;

  private static final List<Peer> LIT_FIRST =
      List.of(Peer.FOREBAY, Peer.ASYNC, Peer.FILE, Peer.LOG4J2);

  private Legend() {}

  /** Those whose boxes are ticked at first: the ones that readers know best. */
  static List<Peer> lit(Scenario scenario, List<PeerRuns> peers) {
    List<Peer> shown = peers.stream().map(PeerRuns::peer).toList();
    Stream<Peer> floor =
        scenario.load() == Scenario.Load.SINGLE ? Stream.of(Peer.NONE) : Stream.of();
    return Stream.of(floor, LIT_FIRST.stream(), shown.stream())
        .flatMap(all -> all)
        .filter(shown::contains)
        .distinct()
        .limit(LIT_AT_MOST)
        .toList();
  }

  /** Of the peers of one plot, with those that are not lit folded. */
  static void write(Markup page, List<PeerRuns> peers, List<Peer> lit) {
    page.open("div", "class", "legend");
    peers.stream().filter(runs -> lit.contains(runs.peer())).forEach(runs -> box(page, runs, true));
    page.close();
    List<PeerRuns> others = peers.stream().filter(runs -> !lit.contains(runs.peer())).toList();
    if (others.isEmpty()) {
      return;
    }
    page.open("details").element("summary", "%d more to tick".formatted(others.size()));
    page.open("div", "class", "legend");
    others.forEach(runs -> box(page, runs, false));
    page.close().close();
  }

  private static void box(Markup page, PeerRuns runs, boolean lit) {
    page.open("label", "class", PeerStyle.css(runs.peer()));
    if (lit) {
      page.leaf("input", "type", "checkbox", "checked", "checked");
    } else {
      page.leaf("input", "type", "checkbox");
    }
    swatch(page, runs.isVoid() ? "line void" : "line");
    page.open("span").text(name(runs.peer()));
    if (runs.isVoid()) {
      page.element("em", Losses.brief(runs).map(lost -> " lost " + lost).orElse(" void"));
    }
    page.close().close();
  }

  /** Name for people; the floor says what it is. */
  static String name(Peer peer) {
    return peer == Peer.NONE ? "no appender (floor)" : peer.label();
  }

  private static void swatch(Markup page, String css) {
    page.open("svg", "class", "swatch", "viewBox", "0 0 36 10", "aria-hidden", "true");
    page.leaf("path", "class", css, "d", "M1 5H35").close();
  }
}

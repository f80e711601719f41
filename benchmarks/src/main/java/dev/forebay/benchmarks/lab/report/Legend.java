package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import java.util.List;

/** Names of the peers of a plot with their lines; the boxes hide and show them without a script. */
final class Legend {

  private Legend() {}

  /** Of the peers of one plot. */
  static void write(Markup page, List<PeerRuns> peers) {
    page.open("div", "class", "legend");
    for (PeerRuns runs : peers) {
      page.open("label", "class", PeerStyle.css(runs.peer()));
      page.leaf("input", "type", "checkbox", "checked", "checked");
      swatch(page, runs.isVoid() ? "line void" : "line");
      page.text(name(runs.peer()));
      if (runs.isVoid()) {
        page.element("em", " void", "title", runs.voids());
      }
      page.close();
    }
    page.close();
  }

  /** Of all peers of the page. */
  static void writeFixed(Markup page, List<PeerRuns> peers) {
    page.open("div", "class", "legend");
    for (PeerRuns runs : peers) {
      Peer peer = runs.peer();
      page.open("span", "class", PeerStyle.css(peer) + (peer.isForebay() ? " ours" : ""));
      swatch(page, "line");
      page.text(name(peer)).close();
    }
    page.close();
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

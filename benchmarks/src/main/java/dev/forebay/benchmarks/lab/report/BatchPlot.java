package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Measurement;
import java.util.List;
import java.util.stream.IntStream;

/** How many events the background thread took at a time. */
final class BatchPlot {

  private static final double ROOM_FOR_BAR = 0.38;

  private BatchPlot() {}

  /** Turns of all shown runs by their number of events, 1, 2 to 3, 4 to 7, and so on. */
  static long[] turns(PeerRuns peer) {
    List<List<Long>> batches = peer.shown().stream().map(Measurement::batches).toList();
    int classes = batches.stream().mapToInt(List::size).max().orElse(0);
    return IntStream.range(0, classes)
        .mapToLong(
            i -> batches.stream().filter(of -> of.size() > i).mapToLong(of -> of.get(i)).sum())
        .toArray();
  }

  /** Draws the shares; the caller knows that there is a turn. */
  static void write(Markup page, String title, PeerRuns peer) {
    double[] turns =
        IntStream.range(0, turns(peer).length).mapToDouble(i -> turns(peer)[i]).toArray();
    double[] events =
        IntStream.range(0, turns.length).mapToDouble(i -> turns[i] * mean(i)).toArray();
    double[] turnShares = shares(turns);
    double[] eventShares = shares(events);
    double most = 0;
    int first = turns.length;
    int last = 0;
    for (int i = 0; i < turns.length; i++) {
      most = Math.max(most, Math.max(turnShares[i], eventShares[i]));
      first = turns[i] > 0 ? Math.min(first, i) : first;
      last = turns[i] > 0 ? i : last;
    }
    Frame frame = new Frame(520, 240);
    Axis y = new LinearAxis(frame.bottom(), Frame.TOP, most, Unit.PERCENT::brief);
    page.open("figure");
    page.element("figcaption", title);
    frame.begin(page, title + ": events taken at a time");
    frame.up(page, y);
    double room = (frame.right() - Frame.LEFT) / (last - first + 1);
    page.open("g", "class", PeerStyle.css(peer.peer()));
    for (int i = first; i <= last; i++) {
      double left = Frame.LEFT + (i - first) * room + room * (0.5 - ROOM_FOR_BAR);
      bar(page, "bar", left, room, y, turnShares[i], "of the turns");
      bar(page, "bar pale", left + room * ROOM_FOR_BAR, room, y, eventShares[i], "of the events");
      page.element(
          "text",
          Unit.COUNT.bare(Math.pow(2, i)),
          "class",
          "middle",
          "x",
          left + room * ROOM_FOR_BAR,
          "y",
          frame.bottom() + 17);
    }
    page.close();
    page.element(
        "text",
        "events in a turn: so many, or up to twice as many",
        "class",
        "middle faint",
        "x",
        (Frame.LEFT + frame.right()) / 2,
        "y",
        frame.bottom() + 36);
    page.close().close();
  }

  private static void bar(
      Markup page, String css, double left, double room, Axis y, double share, String of) {
    page.open(
        "rect",
        "class",
        css,
        "x",
        left,
        "width",
        room * ROOM_FOR_BAR,
        "y",
        y.at(share),
        "height",
        y.at(0) - y.at(share));
    page.element("title", Unit.PERCENT.format(share) + " " + of).close();
  }

  /** Mean of the numbers of a class. */
  private static double mean(int i) {
    return (3 * Math.pow(2, i) - 1) / 2;
  }

  private static double[] shares(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    double all = sum;
    return IntStream.range(0, values.length)
        .mapToDouble(i -> all > 0 ? 100 * values[i] / all : 0)
        .toArray();
  }
}

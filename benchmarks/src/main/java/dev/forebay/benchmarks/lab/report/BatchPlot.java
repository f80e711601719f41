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
    double room = Frame.SIDE / (last - first + 1);
    Axis x = new ClassAxis(first, last);
    Axis y = new LinearAxis(Frame.SIDE, 0, most, Unit.PERCENT::brief);
    page.open("figure");
    page.element("figcaption", title);
    Frame frame = Frame.open(page, title + ": events taken at a time", x, y);
    page.open("g", "class", PeerStyle.css(peer.peer()));
    for (int i = first; i <= last; i++) {
      double left = (i - first) * room + room * (0.5 - ROOM_FOR_BAR);
      bar(page, "bar", left, room, y, turnShares[i], "of the turns");
      bar(page, "bar pale", left + room * ROOM_FOR_BAR, room, y, eventShares[i], "of the events");
    }
    page.close();
    frame.endLines().close("events in a turn: so many, or up to twice as many");
    page.close();
  }

  /** A place for each class of events. */
  private record ClassAxis(int first, int last) implements Axis {

    @Override
    public double at(double value) {
      return (value - first + 0.5) * Frame.SIDE / (last - first + 1);
    }

    @Override
    public List<Tick> ticks() {
      return IntStream.rangeClosed(first, last)
          .mapToObj(i -> new Tick(i, Unit.large(Math.pow(2, i))))
          .toList();
    }
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

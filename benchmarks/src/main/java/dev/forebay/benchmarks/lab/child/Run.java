package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One run, from the start of the logging system to the count of the lines. */
final class Run {

  /**
   * The readings at the begin are taken so long before it, lest they disturb the first calls. The
   * load is the same then, and what is read is that much more: at most two percent.
   */
  private static final long READING_NS = TimeUnit.MILLISECONDS.toNanos(30);

  private static final Duration DRAIN = Duration.ofMinutes(2);

  private final Assignment assignment;
  private final Extent extent;
  private final Consumer<String> host;
  private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);

  /**
   * @param host is told how far it is
   */
  Run(Assignment assignment, Extent extent, Consumer<String> host) {
    this.assignment = assignment;
    this.extent = extent;
    this.host = host;
  }

  Measurement measure() throws IOException, InterruptedException {
    long beforeStartNs = NanoClock.SYSTEM.nanoTime();
    Backend backend = Backend.start(assignment.peer());
    long startedNs = NanoClock.SYSTEM.nanoTime();
    put(Figure.START_NS, startedNs - beforeStartNs);
    host.accept("ready");
    return assignment.scenario().load().isOfANumber()
        ? measureNumber(backend, startedNs + extent.warmUpNs())
        : measureTime(backend);
  }

  /** A given time, from before which and until the end of which the same load is made. */
  private Measurement measureTime(Backend backend) throws IOException, InterruptedException {
    Reading.before(); // the first one is for the class loader
    Scenario scenario = assignment.scenario();
    Optional<HeldMemory> held = HeldMemory.before(assignment);
    Timeline timeline = Timeline.beginningSoon(extent);
    Producers producers =
        new Producers(
            scenario.producers(),
            extent,
            (producer, release) -> {
              switch (scenario.load()) {
                case UNPACED -> producer.callUntilTheEnd(timeline);
                case SINGLE -> producer.callOneByOne(timeline);
                case TRACED -> producer.callAndTraceOnSchedule(scenario, timeline);
                default -> producer.callOnSchedule(scenario, timeline);
              }
            });
    producers.start();
    Timeline.parkUntil(timeline.measuredFromNs() - READING_NS);
    Reading before = Reading.before();
    Residence.forget();
    host.accept("measuring " + timeline.measuredFromNs());
    Timeline.parkUntil(timeline.measuredToNs());
    if (held.isPresent()) {
      held.get().figures(figures);
    }
    producers.awaitLastCall();
    long endNs = NanoClock.SYSTEM.nanoTime();
    read(before, Reading.after(), producers);
    if (assignment.peer().records()) {
      put(Figure.HELD, backend.held());
    }
    Residence.figures(figures);
    host.accept("measured " + endNs);
    put(Figure.ELAPSED_NS, endNs - timeline.measuredFromNs());
    put(Figure.CALLING_NS, endNs - timeline.measuredFromNs());
    stop(backend);
    return conclude(backend, producers);
  }

  /** A given number of events, not before a time, until the last is on the disk. */
  private Measurement measureNumber(Backend backend, long notBeforeNs)
      throws IOException, InterruptedException {
    Reading.before();
    int share = extent.events() / assignment.scenario().producers();
    int warmUpShare = extent.warmUpEvents() / assignment.scenario().producers();
    Producers producers =
        new Producers(
            assignment.scenario().producers(),
            extent,
            (producer, release) -> {
              producer.warmUp(warmUpShare);
              producer.callSoOften(share, release.getAsLong());
            });
    producers.start();
    producers.awaitWarm();
    if (!backend.drain(DRAIN)) {
      LogFiles.awaitQuiet(assignment.logs(), DRAIN);
    }
    Timeline.parkUntil(notBeforeNs);
    Residence.forget();
    Reading before = Reading.before();
    long fromNs = producers.release();
    host.accept("measuring " + fromNs);
    producers.awaitLastCall();
    long lastCallNs = NanoClock.SYSTEM.nanoTime();
    put(Figure.CALLING_NS, lastCallNs - fromNs);
    read(before, Reading.after(), producers);
    host.accept("measured " + lastCallNs);
    stop(backend);
    LogFiles.force(assignment.logs());
    put(Figure.ELAPSED_NS, NanoClock.SYSTEM.nanoTime() - fromNs);
    Reading.after().processorSince(before, figures);
    Residence.figures(figures);
    return conclude(backend, producers);
  }

  private void stop(Backend backend) {
    long beforeStopNs = NanoClock.SYSTEM.nanoTime();
    backend.stop();
    put(Figure.STOP_NS, NanoClock.SYSTEM.nanoTime() - beforeStopNs);
  }

  private void read(Reading before, Reading after, Producers producers) {
    after.figuresSince(before, producers.threadIds(), figures);
  }

  private Measurement conclude(Backend backend, Producers producers) throws IOException {
    CallTimes times = producers.times(extent);
    put(Figure.CALLS, times.all().getTotalCount());
    put(Figure.OFFERED, producers.calls());
    TracedCalls.figures(producers.traceTimes(extent).all(), figures);
    put(Figure.DROPPED, backend.dropped());
    if (assignment.peer().records()) {
      put(Figure.EXPIRED, backend.expired());
    }
    put(Figure.REPORTS, backend.reports());
    switch (assignment.peer().lines()) {
      case FILES -> put(Figure.LINES, LogFiles.lines(assignment.logs()) - backend.reports());
      case QUEUE -> put(Figure.LINES, QueueEntries.count(assignment.logs()));
      case NONE -> {}
    }
    producers.dismiss();
    return new Measurement(
        assignment.scenario(),
        assignment.peer(),
        assignment.repetition(),
        figures,
        times.all(),
        times.longestNs(),
        -1,
        -1,
        null);
  }

  private void put(Figure figure, long value) {
    figures.put(figure, (double) value);
  }
}

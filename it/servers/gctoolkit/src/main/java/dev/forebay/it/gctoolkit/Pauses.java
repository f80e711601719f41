package dev.forebay.it.gctoolkit;

import com.microsoft.gctoolkit.GCToolKit;
import com.microsoft.gctoolkit.aggregator.Aggregates;
import com.microsoft.gctoolkit.aggregator.Aggregation;
import com.microsoft.gctoolkit.aggregator.Aggregator;
import com.microsoft.gctoolkit.aggregator.Collates;
import com.microsoft.gctoolkit.aggregator.EventSource;
import com.microsoft.gctoolkit.event.g1gc.G1RealPause;
import com.microsoft.gctoolkit.io.SingleGCLogFile;
import java.io.IOException;
import java.nio.file.Path;

/** Prints how many pauses of G1 a log has, and how long they are together. */
public final class Pauses {

  private Pauses() {}

  /** Sums up pauses. */
  @Collates(Adder.class)
  public static final class Sum extends Aggregation {

    private long count;
    private double seconds;

    /** With nothing. */
    public Sum() {}

    void add(double duration) {
      count++;
      seconds += duration;
    }

    @Override
    public boolean hasWarning() {
      return false;
    }

    @Override
    public boolean isEmpty() {
      return count == 0;
    }
  }

  /** Picks the pauses out of the events. */
  @Aggregates(EventSource.G1GC)
  public static final class Adder extends Aggregator<Sum> {

    /** For GCToolkit. */
    public Adder(Sum sum) {
      super(sum);
      register(G1RealPause.class, pause -> sum.add(pause.getDuration()));
    }
  }

  /**
   * Reads a log.
   *
   * @param arguments path of the log
   */
  public static void main(String[] arguments) throws IOException {
    GCToolKit toolkit = new GCToolKit();
    toolkit.loadAggregation(new Sum());
    Sum sum =
        toolkit
            .analyze(new SingleGCLogFile(Path.of(arguments[0])))
            .getAggregation(Sum.class)
            .orElseThrow();
    System.out.printf("pauses %d seconds %.6f%n", sum.count, sum.seconds);
    System.exit(0); // threads of GCToolkit run on
  }
}

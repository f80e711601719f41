package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class TimedFaultTest {

  private static final long NEVER = 1_000_000_000;

  private final RecordingDisk disk = new RecordingDisk();

  @Test
  void theFaultIsCausedAndEndedByTheClock() throws Exception {
    TimedFault fault = new TimedFault(disk, 20, 40);
    long begin = System.nanoTime();

    fault.measuring(begin);
    disk.isWell.await();
    fault.close();

    assertThat(disk.steps).containsExactly("begin", "end");
    assertThat(fault.window().fromMs()).isGreaterThanOrEqualTo(20);
    assertThat(fault.window().toMs()).isGreaterThanOrEqualTo(40);
    assertThat(fault.problem()).isNull();
  }

  @Test
  void aMeasurementThatEndsBeforeTheFaultIsAProblem() {
    TimedFault fault = new TimedFault(disk, NEVER, NEVER);

    fault.measuring(System.nanoTime());
    fault.measured(System.nanoTime());
    fault.close();

    assertThat(disk.steps).isEmpty();
    assertThat(fault.window()).isEqualTo(Disturbance.Window.NONE);
    assertThat(fault.problem()).isEqualTo("the measured time was over before the fault");
  }

  @Test
  void aDiskThatStaysWellIsAProblemAndStillMadeWell() throws Exception {
    disk.refuses = true;
    TimedFault fault = new TimedFault(disk, 0, NEVER);

    fault.measuring(System.nanoTime());
    disk.isWell.await();
    fault.close();

    assertThat(disk.steps).containsExactly("end");
    assertThat(fault.problem()).isEqualTo("the fault could not be caused: refused");
  }

  private static final class RecordingDisk implements LabDisk {
    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final CountDownLatch isWell = new CountDownLatch(1);
    private volatile boolean refuses;

    @Override
    public Path directory() {
      return Path.of("none");
    }

    @Override
    public void beginFault() throws IOException {
      if (refuses) {
        throw new IOException("refused");
      }
      steps.add("begin");
    }

    @Override
    public void endFault() {
      steps.add("end");
      isWell.countDown();
    }

    @Override
    public void close() {}
  }
}

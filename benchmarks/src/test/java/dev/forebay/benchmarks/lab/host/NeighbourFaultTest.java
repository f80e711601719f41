package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class NeighbourFaultTest {

  @Test
  void allNeighboursAreGoneAfterTheMeasuredTime() throws Exception {
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    NeighbourFault neighbours = new NeighbourFault(2, ProcessorHog.class);

    neighbours.ready();
    List<ProcessHandle> hogs =
        ProcessHandle.current().children().filter(child -> !before.contains(child)).toList();
    neighbours.measuring(0);
    neighbours.measured(3_000_000);
    neighbours.close();

    assertThat(hogs).hasSize(2).noneMatch(ProcessHandle::isAlive);
    assertThat(neighbours.problem()).isNull();
    assertThat(neighbours.window()).isEqualTo(new Disturbance.Window(0, 3));
  }
}

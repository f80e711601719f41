package dev.forebay.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plants every fault the oracle must see. */
class OracleTest {

  private static final int COUNT = 20;

  private final List<String> lines =
      new ArrayList<>(
          IntStream.range(0, COUNT).mapToObj(i -> new Numbered("a", i).text()).toList());

  private Oracle oracle() {
    return new Oracle().producer("a", COUNT, COUNT).complete(0);
  }

  private List<String> faults(Oracle oracle) {
    return oracle.judge(lines).faults();
  }

  @Test
  void acceptsASoundLog() {
    lines.add(7, "Forebay: a report");

    Oracle.Verdict verdict = oracle().requireSound(lines);

    assertThat(verdict.lineCount()).isEqualTo(COUNT);
    assertThat(verdict.reports()).isEqualTo(1);
  }

  @Test
  void seesALostLine() {
    lines.remove(5);

    assertThat(faults(oracle())).singleElement().asString().startsWith("count: offered 20");
    assertThat(faults(new Oracle().producer("a", 0, COUNT)))
        .singleElement()
        .asString()
        .startsWith("lost: 1 lines are missing");
  }

  @Test
  void seesALostEnd() {
    lines.remove(COUNT - 1);

    assertThat(faults(new Oracle().producer("a", COUNT, COUNT)))
        .containsExactly("lost: a ends at 19, 20 were acked");
    assertThat(faults(new Oracle().producer("a", COUNT - 1, COUNT))).isEmpty();
  }

  @Test
  void seesThatASpooledLineIsLost() {
    String last = lines.remove(COUNT - 1);

    assertThat(faults(new Oracle().producer("a", 0, COUNT).seen(List.of(last))))
        .singleElement()
        .asString()
        .startsWith("lost: Numbered[producer=a, number=19] was spooled");
  }

  @ParameterizedTest
  @CsvSource({"9, 8, false, doubled: line 9", "9, 8, true, disordered: line 9"})
  void seesALineThatStandsTwiceOrTooLate(int at, int of, boolean moved, String fault) {
    lines.add(at, moved ? lines.remove(of) : lines.get(of));
    assertThat(faults(oracle())).singleElement().asString().startsWith(fault);
  }

  @Test
  void seesATornLine() {
    lines.set(4, lines.get(4).substring(0, 30));
    assertThat(faults(oracle())).anyMatch(fault -> fault.startsWith("torn: line 4"));
  }

  @Test
  void acceptsATornEndOnlyWhereTheProducerEnds() {
    lines.set(COUNT - 1, lines.get(COUNT - 1).substring(0, 30));
    lines.add(new Numbered("b", 0).text());
    Oracle torn = new Oracle().producer("a", COUNT - 1, COUNT).producer("b", 1, 1);

    assertThat(faults(torn)).hasSize(1);
    assertThat(faults(torn.mayEndTorn())).isEmpty();

    lines.add(lines.get(COUNT - 1));
    assertThat(faults(torn)).singleElement().asString().startsWith("torn: line 21");
    lines.set(COUNT + 1, new Numbered("a", COUNT - 1).text());
    assertThat(faults(torn)).singleElement().asString().startsWith("torn: before line 21");
    lines.set(COUNT + 1, lines.get(COUNT - 1).substring(0, 29) + "\0");
    assertThat(faults(torn)).singleElement().asString().startsWith("torn: line 21");
  }

  @Test
  void seesAnInventedLine() {
    lines.add(new Numbered("a", COUNT).text());
    lines.add(new Numbered("b", 0).text());

    assertThat(faults(oracle())).hasSize(2).allMatch(fault -> fault.startsWith("invented"));
  }

  @Test
  void seesAWrongNumberOfDrops() {
    lines.remove(5);

    assertThat(faults(oracle().dropped(1))).isEmpty();
    assertThat(faults(oracle().dropped(2))).singleElement().asString().startsWith("count");
    assertThat(faults(oracle().complete(1))).isEmpty();
  }
}

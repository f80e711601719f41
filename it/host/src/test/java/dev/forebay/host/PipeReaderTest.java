package dev.forebay.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PipeReaderTest {

  @Test
  void givesEachLineOnceHoweverItReadsAndTheLastOneWithoutItsEnd() throws Exception {
    byte[] text = "one\ntwo\n\nthr\u00e9e\nand the beginn".getBytes(StandardCharsets.UTF_8);
    for (int rate : List.of(PipeReader.FAST, 70)) {
      List<String> lines = new CopyOnWriteArrayList<>();
      PipeReader reader = PipeReader.of(new ByteArrayInputStream(text), lines::add);
      reader.read(PipeReader.STALLED);
      reader.read(rate);
      reader.awaitEnd();
      assertThat(lines).containsExactly("one", "two", "", "thr\u00e9e", "and the beginn");
    }
  }
}

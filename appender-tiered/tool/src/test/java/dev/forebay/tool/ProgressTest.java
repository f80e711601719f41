package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final StringWriter shown = new StringWriter();
  private final AtomicLong nowNs = new AtomicLong();

  private Progress progress(boolean isTerminal) {
    return new Progress("verify", 200, new PrintWriter(shown), isTerminal, nowNs::get);
  }

  @Test
  void aBarIsShownAfterASecondAndRemoved() {
    try (Progress progress = progress(true)) {
      nowNs.set(999_999_999);
      progress.at(100);
      assertThat(shown).hasToString("");
      nowNs.set(1_000_000_000);
      progress.at(100);
      progress.at(150);
      assertThat(shown.toString())
          .isEqualTo("\rverify [" + "#".repeat(20) + " ".repeat(20) + "] 50 %");
      nowNs.set(1_100_000_000);
      progress.at(1000);
      assertThat(shown.toString()).endsWith("\rverify [" + "#".repeat(40) + "] 100 %");
    }
    assertThat(shown.toString()).endsWith("\r\u001b[K");
  }

  @Test
  void nothingIsShownInAPipe() {
    try (Progress progress = progress(false)) {
      nowNs.set(5_000_000_000L);
      progress.at(100);
    }
    assertThat(shown).hasToString("");
  }
}

package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.demo.app.Figures;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private final AtomicLong nowNs = new AtomicLong();

  private Progress progress(boolean isTerminal) {
    return new Progress(
        new PrintStream(shown, true, StandardCharsets.UTF_8), isTerminal, nowNs::get);
  }

  @Test
  void showsWhereTheEventsAre() {
    Figures forebay =
        Figures.parse(
            "queued=3277 queueCapacity=32768 spoolBytes=12345678 inFlight=42 delivered=500 dropped=7");
    Figures async = Figures.parse("queued=32768 queueCapacity=32768");

    assertThat(Progress.line(12.34, "during", forebay, async))
        .isEqualTo(
            "12.3 s during    | Forebay ring 10 % spool  12.3 MB in flight 42 shipped 500 dropped 7"
                + " | Async queue 100 %");
  }

  @Test
  void rewritesTheLineOnATerminalAndRemovesItForWhatStays() {
    Progress progress = progress(true);

    progress.show("first");
    progress.show("second");
    progress.say("the end");

    assertThat(shown.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "\r\u001b[K\u001b[?7lfirst\u001b[?7h\r\u001b[K\u001b[?7lsecond\u001b[?7h"
                + "\r\u001b[Kthe end"
                + System.lineSeparator());
  }

  @Test
  void printsPlainLinesSparinglyWhereThereIsNoTerminal() {
    Progress progress = progress(false);

    progress.show("first");
    nowNs.set(999_999_999);
    progress.show("too soon");
    nowNs.set(1_000_000_000);
    progress.show("a second later");
    progress.say("the end");

    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("first", "a second later", "the end");
  }
}

package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class PrintableTest {

  @Test
  void whatBreaksLinesOrCommandsATerminalIsReplaced() {
    assertThat(Printable.text("a\r\nb\tc\0d")).isEqualTo("a??b?c?d");
    assertThat(Printable.text("\u001B[31m \u009B31m \u007F")).isEqualTo("?[31m ?31m ?");
    assertThat(Printable.text("a\u0085b\u2028c\u2029d")).isEqualTo("a?b?c?d");
    assertThat(Printable.text("left \u202E right \u2066")).isEqualTo("left ? right ?");
    assertThat(Printable.text("half \uD83D")).isEqualTo("half ?");
  }

  @Test
  void lettersOfAllLanguagesStay() {
    String text = "/var/log/é ü 日本 \uD83D\uDE00 \"quoted\"; 100 %";
    assertThat(Printable.text(text)).isEqualTo(text);
  }
}

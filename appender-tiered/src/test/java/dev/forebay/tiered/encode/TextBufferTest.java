package dev.forebay.tiered.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
@net.jqwik.api.Tag("once")
class TextBufferTest {

  private static final List<Charset> CHARSETS =
      List.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);

  @Provide
  Arbitrary<List<String>> pieces() {
    Arbitrary<Character> of =
        Arbitraries.oneOf(
            Arbitraries.chars().ascii(),
            Arbitraries.chars().range(Character.MIN_SURROGATE, Character.MAX_SURROGATE),
            Arbitraries.chars().range('\u0080', '\u00FF'),
            Arbitraries.chars().all());
    Arbitrary<String> piece =
        of.list()
            .ofMaxSize(12)
            .map(all -> all.stream().map(String::valueOf).collect(Collectors.joining()));
    return piece.list().ofMaxSize(8);
  }

  /** Also where the two of a surrogate pair are in different pieces. */
  @Property
  void theBytesAreThoseOfTheWholeText(@ForAll("pieces") List<String> pieces) {
    for (Charset charset : CHARSETS) {
      TextBuffer buffer = new TextBuffer(charset);
      for (int line = 0; line < 2; line++) {
        buffer.clear();
        for (int i = 0; i < pieces.size(); i++) {
          if (i % 2 == line) {
            buffer.text(pieces.get(i));
          } else {
            buffer.text(new StringBuilder(pieces.get(i)));
          }
        }
        assertThat(buffer.toBytes()).isEqualTo(String.join("", pieces).getBytes(charset));
      }
    }
  }

  @Property
  void aPartIsThatOfTheText(@ForAll String text, @ForAll int seed) {
    int from = Math.floorMod(seed, text.length() + 1);
    int to = from + Math.floorMod(seed >> 16, text.length() - from + 1);
    TextBuffer buffer = new TextBuffer(StandardCharsets.UTF_8);
    buffer.text(text, from, to);
    assertThat(buffer.toBytes())
        .isEqualTo(text.substring(from, to).getBytes(StandardCharsets.UTF_8));
  }

  @Property
  void numbersAreDecimal(@ForAll long number, @ForAll int seed) {
    int digits = Math.floorMod(seed, 25);
    TextBuffer buffer = new TextBuffer(StandardCharsets.US_ASCII);
    buffer.decimal(number);
    buffer.ascii(' ');
    buffer.decimal(Math.max(0, number), digits);
    String padded = digits == 0 ? "%d" : "%0" + digits + "d";
    assertThat(new String(buffer.toBytes(), StandardCharsets.US_ASCII))
        .isEqualTo(number + " " + padded.formatted(Math.max(0, number)));
  }

  @Test
  void theLeastNumberHasItsDigits() {
    TextBuffer buffer = new TextBuffer(StandardCharsets.US_ASCII);
    buffer.decimal(Long.MIN_VALUE);
    buffer.fill('x', 2);
    buffer.fill('y', -1);
    assertThat(new String(buffer.toBytes(), StandardCharsets.US_ASCII))
        .isEqualTo(Long.MIN_VALUE + "xx");
  }

  @Test
  void whatIsTakenBackIsGone() {
    TextBuffer buffer = new TextBuffer(StandardCharsets.UTF_8);
    buffer.text("ab\uD83D");
    buffer.truncate(1);
    buffer.text("\uDE00");
    assertThat(buffer.toBytes()).isEqualTo("a\uDE00".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theMemoryOfAHugeLineIsForgotten() {
    TextBuffer buffer = new TextBuffer(StandardCharsets.UTF_8);
    String usual = "x".repeat(TextBuffer.KEPT_BYTES / 2);
    buffer.text(usual);
    byte[] kept = buffer.bytes();
    buffer.clear();
    assertThat(buffer.bytes()).isSameAs(kept);
    buffer.text("ä".repeat(TextBuffer.KEPT_BYTES));
    assertThat(buffer.length()).isEqualTo(2 * TextBuffer.KEPT_BYTES);
    buffer.clear();
    assertThat(buffer.bytes()).hasSizeLessThan(TextBuffer.KEPT_BYTES);
  }
}

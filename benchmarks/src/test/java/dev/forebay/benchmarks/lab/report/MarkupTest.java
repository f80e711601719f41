package dev.forebay.benchmarks.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class MarkupTest {

  @Test
  void textsAndAttributesAreEscaped() {
    String page = new Markup().element("p", "a < b & c", "title", "\"x\" > 'y'").finish();

    assertThat(page).contains("<p title=\"&quot;x&quot; &gt; &#39;y&#39;\">a &lt; b &amp; c</p>");
  }

  @Test
  void whatXmlDoesNotKnowIsReplaced() {
    assertThat(Markup.escape("a\u0000\u001bb\uD800c\uFFFF"))
        .isEqualTo("a\uFFFD\uFFFDb\uFFFDc\uFFFD");
    assertThat(Markup.escape("µ – \uD83D\uDE00\n\t")).isEqualTo("µ – \uD83D\uDE00\n\t");
  }

  @Test
  void aDocumentThatIsNotClosedIsNotFinished() {
    Markup page = new Markup().open("p");

    assertThatIllegalStateException().isThrownBy(page::finish).withMessageContaining("p");
  }

  @Test
  void aStyleThatXmlWouldReadOtherwiseIsRefused() {
    Markup page = new Markup();

    assertThatIllegalArgumentException().isThrownBy(() -> page.style("a::after { content: '<' }"));
  }
}

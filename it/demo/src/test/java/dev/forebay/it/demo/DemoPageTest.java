package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.demo.DemoPage.Flight;
import dev.forebay.it.demo.DemoPage.Freeze;
import dev.forebay.it.demo.DemoPage.Times;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoPageTest {

  private static final String NASTY = "</script><b>&amp; \"x\" /*data*/ <!-- $1";

  @TempDir Path directory;

  /** The freeze lasts from the second 1000.2 to 1000.4 of what is shown, 1000.0 to 1000.6. */
  private static Freeze freeze() {
    return DemoPage.freeze(
        MadeSides.forebay(4, 60, 1, NASTY),
        MadeSides.async(2_400, 2_600, 0),
        new Times(1_000_000, 1_000_200, 1_000_400, 1_000_600),
        List.of("The disk is " + NASTY),
        List.of("2 requests failed: " + NASTY));
  }

  @Test
  void bothPartsAreInOneFileThatNeedsNothingElse() throws Exception {
    Path first = DemoPage.in(directory).write(freeze());
    String before = Files.readString(first);
    Path page =
        DemoPage.in(directory)
            .write(new Flight("1 offered", "one line", "/x/dump.log", List.of("a " + NASTY)));

    assertThat(page).isEqualTo(first).isAbsolute().hasFileName("report.html");
    assertThat(data(before).get("flight").isNull()).isTrue();
    String text = Files.readString(page);
    assertThat(text)
        .contains(
            "{ value: \"en\" }", "uPlot=function", "function draw(", "prefers-color-scheme: dark")
        .doesNotContain("/*uplot", "/*page", "<script src", "<link", "@import", "http://", "<b>");
    Document document = parsed(text);
    assertThat(document.getElementsByTagName("main").item(0).getTextContent())
        .as("without scripts")
        .startsWith("While the disk did not answer for 0.2 s")
        .contains("103 offered", NASTY, "/x/dump.log");
    assertThat(document.getElementsByTagName("script").getLength()).isEqualTo(3);
    assertThat(data(text).at("/flight/dump/0").asString()).isEqualTo("a " + NASTY);
    assertThat(data(text).get("freeze")).isEqualTo(data(before).get("freeze"));
  }

  @Test
  void thePageHasTheVerdictTheCurvesAndTheAccountOfBoth() throws Exception {
    JsonNode freeze = data(Files.readString(DemoPage.in(directory).write(freeze()))).get("freeze");

    assertThat(freeze.get("verdict").asString()).contains("better", "worse");
    assertThat(freeze.get("outcome").asString()).isEmpty();
    assertThat(freeze.at("/charts/0").toString())
        .isEqualTo(
            "{\"title\":\"Longest log call\",\"begin\":-0.2,\"step\":0.2,\"shaded\":[0.0,0.2],"
                + "\"lines\":[{\"name\":\"Forebay\",\"y\":[1000,0,4000000]},"
                + "{\"name\":\"AsyncAppender\",\"y\":[1000,0,2400000000]}]}");
    assertThat(freeze.at("/charts/1/lines/0/y").toString()).isEqualTo("[0,60000000,0]");
    assertThat(freeze.get("latencies").toString()).contains("\"60.0 ms\"", "\"2.60 s\"");
    assertThat(freeze.get("accounts").toString())
        .contains("103 offered", "{SHED.INFO=1}", "100 offered, 100 lines; 0 missing");
    assertThat(freeze.at("/accounts/2").asString()).endsWith(NASTY);
  }

  @Test
  void aNewRunForgetsTheOldOne() throws Exception {
    Path page = DemoPage.in(directory).write(freeze());
    DemoPage.in(directory).clear();

    assertThat(page).doesNotExist();
    DemoPage.in(directory).write(new Flight("", "", "", List.of()));
    assertThat(data(Files.readString(page)).get("freeze").isNull()).isTrue();
  }

  /** As XML, once the contents of scripts and styles are out of it. */
  private static Document parsed(String page) throws Exception {
    String bare =
        page.replaceFirst("(?i)<!doctype html>", "")
            .replaceAll("(?s)(<(script|style)[^>]*>).*?</\\2>", "$1</$2>");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(bare)));
  }

  private static JsonNode data(String page) {
    String begin = "id=\"data\">";
    int from = page.indexOf(begin) + begin.length();
    return JsonMapper.shared().readTree(page.substring(from, page.indexOf("</script>", from)));
  }
}

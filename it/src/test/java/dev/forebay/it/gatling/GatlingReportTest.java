package dev.forebay.it.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GatlingReportTest {

  private static String row(String name, String... cells) {
    StringBuilder row =
        new StringBuilder("<tr id=\"req_1\" data-parent=\"ROOT\">\n  <td class=\"total col-1\">")
            .append("<span id=\"s\" class=\"ellipsed-name\">%s</span></td>%n".formatted(name));
    for (int i = 0; i < cells.length; i++) {
      String kind = i == 1 ? "ok" : "total";
      row.append("  <td class=\"value %s col-%d\">%s</td>%n".formatted(kind, i + 2, cells[i]));
    }
    return row.append("</tr>").toString();
  }

  private static String page(String... rows) {
    return "<html><table><thead><tr><th id=\"col-2\">Total</th></tr></thead><tbody>%s</tbody></html>"
        .formatted(String.join("</tbody></table><table><tbody>", rows));
  }

  private static final String ALL =
      row(
          "All Requests",
          "12",
          "11",
          "1",
          "8.33",
          "476.19",
          "0",
          "1",
          "5",
          "40",
          "4021",
          "5003",
          "9",
          "2");

  @Test
  void givesTheNumbersOfEachNameByItself() {
    String window =
        row("window", "7", "7", "0", "0", "3.5", "1", "2", "3", "4", "5", "6", "2", "1");

    assertThat(GatlingReport.parse(page(ALL, window)))
        .containsOnlyKeys("All Requests", "window")
        .containsEntry("All Requests", new GatlingReport.Row(12, 11, 1, 1, 5, 40, 4021, 5003))
        .containsEntry("window", new GatlingReport.Row(7, 7, 0, 2, 3, 4, 5, 6));
  }

  @Test
  void takesADashForNothing() {
    String none = row("window", "3", "-", "3", "100", "1.5", "-", "-", "-", "-", "-", "-", "-");

    assertThat(GatlingReport.parse(page(ALL, none)).get("window"))
        .isEqualTo(new GatlingReport.Row(3, 0, 3, 0, 0, 0, 0, 0));
  }

  @Test
  void refusesWhatIsNoReport() {
    assertThatThrownBy(() -> GatlingReport.parse("<html></html>"))
        .hasMessageContaining("All Requests");
    assertThatThrownBy(() -> GatlingReport.parse(page(row("All Requests", "1", "1"))))
        .hasMessageContaining("no column 4");
  }
}

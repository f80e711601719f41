package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.RunInfo.Fact;
import dev.forebay.benchmarks.lab.Scenario;

/** The page: one file that needs nothing else. */
final class Page {

  private Page() {}

  static String of(Results results) {
    Markup page = new Markup();
    page.open("html", "lang", "en");
    page.open("head").leaf("meta", "charset", "utf-8");
    page.leaf("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.leaf("meta", "name", "color-scheme", "content", "light dark");
    page.element("title", "Forebay and its peers").style(Stylesheet.TEXT + PeerStyle.sheet());
    page.close().open("body");
    hatch(page);
    page.open("main");
    page.element("h1", "Forebay and its peers");
    results
        .run()
        .get(Fact.BEGIN)
        .ifPresent(begin -> page.element("p", "Latency lab, " + begin, "class", "load"));
    contents(page, results.summary());
    RunSection.write(page, results);
    BudgetSection.write(page, results.summary());
    for (Scenario scenario : results.summary().scenarios()) {
      ScenarioSection.write(page, results.summary(), scenario);
    }
    if (BatchSection.isFilled(results.summary())) {
      BatchSection.write(page, results.summary());
    }
    if (StartStopSection.isFilled(results.summary())) {
      StartStopSection.write(page, results.summary());
    }
    return page.close().close().close().finish();
  }

  private static void contents(Markup page, Summary summary) {
    page.open("nav");
    link(page, "run", "What was run");
    link(page, "budgets", "Budgets");
    summary.scenarios().forEach(of -> link(page, of.id(), ScenarioText.title(of)));
    if (BatchSection.isFilled(summary)) {
      link(page, "batches", "Batches");
    }
    if (StartStopSection.isFilled(summary)) {
      link(page, "start-stop", "Start and stop");
    }
    page.close();
  }

  private static void link(Markup page, String id, String text) {
    page.element("a", text, "href", "#" + id);
  }

  private static void hatch(Markup page) {
    page.open("svg", "width", "0", "height", "0", "class", "hidden", "aria-hidden", "true");
    page.open(
        "pattern", "id", "hatch", "width", "7", "height", "7", "patternUnits", "userSpaceOnUse");
    page.leaf("path", "class", "hatch", "d", "M-1 8L8 -1M-2 2L2 -2M5 9L9 5").close().close();
  }
}

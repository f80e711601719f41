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
    page.element("title", "Forebay and its peers")
        .style(Stylesheet.TEXT + Stylesheet.PLOTS + Stylesheet.NARROW + PeerStyle.sheet());
    page.close().open("body");
    page.open("main", "id", "top");
    page.element("h1", "Forebay and its peers");
    results
        .run()
        .get(Fact.BEGIN)
        .ifPresent(begin -> page.element("p", "Latency lab, " + begin, "class", "how"));
    Opening.write(page, results.summary());
    RunSection.writeDamaged(page, results);
    contents(page, results.summary());
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
    RunSection.write(page, results);
    return page.close().close().close().finish();
  }

  private static void contents(Markup page, Summary summary) {
    page.open("nav");
    link(page, "budgets", "Budgets");
    summary.scenarios().forEach(of -> link(page, of.id(), ScenarioText.title(of)));
    if (BatchSection.isFilled(summary)) {
      link(page, "batches", "Batches");
    }
    if (StartStopSection.isFilled(summary)) {
      link(page, "start-stop", "Start and stop");
    }
    link(page, "run", "How it was run");
    page.close();
  }

  private static void link(Markup page, String id, String text) {
    page.element("a", text, "href", "#" + id);
  }
}

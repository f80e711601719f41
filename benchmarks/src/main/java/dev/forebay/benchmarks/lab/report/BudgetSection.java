package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.report.Budget.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was expected of Forebay and what was measured. */
final class BudgetSection {

  private static final List<String> HEADS =
      List.of("budget", "limit", "measured", "verdict", "best other");

  private BudgetSection() {}

  static void write(Markup page, Summary summary) {
    page.element("h2", "Budgets", "id", "budgets");
    page.element(
        "p",
        "What TieredAppender has to reach, fixed before it was measured. Its median is judged;"
            + " without a run that counts the answer is unknown. Beside it stands the best other"
            + " appender, whatever that one does not promise: one that writes in the caller has no"
            + " events in a ring, and none of its own threads.",
        "class",
        "how");
    page.open("div", "class", "wide").open("table", "class", "budgets cards");
    page.open("thead").open("tr");
    for (String head : HEADS) {
      page.element("th", head, "scope", "col");
    }
    page.close().close().open("tbody");
    Budgets.ALL.forEach(budget -> row(page, budget, summary));
    page.close().close().close();
  }

  private static void row(Markup page, Budget budget, Summary summary) {
    page.open("tr").open("th", "scope", "row").text(budget.what());
    page.element("small", budget.source()).close();
    page.element("td", budget.limitText(), "data-head", HEADS.get(1));
    Optional<Spread> value = budget.value(summary);
    page.open("td", "class", "ours", "data-head", HEADS.get(2)).text(text(value, budget.unit()));
    String spread = Cell.spread(value, budget.unit()).spread();
    if (!spread.isEmpty()) {
      page.element("small", spread);
    }
    page.close();
    Verdict verdict = budget.verdict(summary);
    String css = verdict.name().toLowerCase(Locale.ROOT).replace('_', '-');
    page.open("td", "class", "judged", "data-head", HEADS.get(3));
    page.element("b", verdict.text(), "class", css).close();
    page.open("td", "data-head", HEADS.get(4));
    Optional<Rival> rival = Rival.of(budget, summary);
    page.text(rival.map(of -> budget.unit().format(of.value())).orElse(Unit.NOTHING));
    if (rival.isPresent()) {
      page.element("small", rival.get().name());
    }
    page.close().close();
  }

  static String text(Optional<Spread> value, Unit unit) {
    return value.map(of -> unit.format(of.median())).orElse(Unit.NOTHING);
  }
}

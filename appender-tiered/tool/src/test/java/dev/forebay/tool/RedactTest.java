package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code forebay redact} says of a log. */
class RedactTest {

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int check(String... rules) throws IOException {
    Path log = directory.resolve("app.log");
    Files.writeString(
        log,
        """
        nothing
        to bob@example.org
        {"password":"hunter2","a":1}
        4111 1111 1111 1111 and bob@example.org, ann@example.org
        pin=1234
        """);
    String[] all = new String[rules.length + 3];
    all[0] = "redact";
    all[1] = "--check";
    all[2] = log.toString();
    System.arraycopy(rules, 0, all, 3, rules.length);
    int exitCode = Main.run(all, new PrintWriter(out), new PrintWriter(err));
    assertThat(err.toString()).doesNotContain("NoClassDef");
    return exitCode;
  }

  @Test
  void eachRuleHasTheLinesThatItHitsAndNoSecretIsShown() throws Exception {
    assertThat(check("--key", "pass*", "--pattern", "email,card", "--regex", "pin=\\d+"))
        .isEqualTo(Main.FINDINGS);
    assertThat(out.toString().lines())
        .containsExactlyInAnyOrder(
            "regex-1: 1 of 5 lines: 5",
            "key-pass*: 1 of 5 lines: 3",
            "email: 2 of 5 lines: 2, 4",
            "card: 1 of 5 lines: 4");
    assertThat(out.toString()).doesNotContain("hunter2", "bob", "4111", "1234");
  }

  @Test
  void withoutRulesAllPatternsAreLookedFor() throws Exception {
    assertThat(check("--json")).isEqualTo(Main.FINDINGS);
    assertThat(out.toString()).contains("{\"rule\":\"email\",\"lines\":2,\"first\":[\"2\",\"4\"]}");
  }

  @Test
  void nothingFoundIsNoFindingAndABadRuleIsSaid() throws Exception {
    assertThat(check("--key", "other")).isEqualTo(Main.OK);
    assertThat(check("--pattern", "mail")).isEqualTo(Main.USAGE);
    assertThat(err.toString()).contains("\"mail\": must be of bearer, basic");
    assertThat(check("--regex", "a(")).isEqualTo(Main.USAGE);
    assertThat(
            Main.run(
                new String[] {"redact", "--check", directory.resolve("none").toString()},
                new PrintWriter(out),
                new PrintWriter(err)))
        .isEqualTo(Main.NOT_FOUND);
  }
}

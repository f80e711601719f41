package dev.forebay;

import dev.forebay.redact.NamedPattern;
import dev.forebay.redact.RedactRules;
import dev.forebay.redact.Redactor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * The element {@code <redact>} of an appender: what becomes {@code ***} before an event is written
 * anywhere. Several elements add up. For the configuring thread.
 */
public final class RedactOptions {

  /** The names of all patterns. */
  public static final String PATTERNS =
      Arrays.stream(NamedPattern.values())
          .map(NamedPattern::text)
          .collect(Collectors.joining(", "));

  private final Set<String> keys = new LinkedHashSet<>();
  private final List<String> patterns = new ArrayList<>();
  private final List<String> regexes = new ArrayList<>();

  /** Without rules, one of which is required. */
  public RedactOptions() {}

  /**
   * Adds names, separated by commas, of MDC keys, key-value pairs, structured arguments and fields
   * of JSON, whose values are replaced; {@code *} stands for any characters, case has no meaning.
   */
  public void addKey(String names) {
    keys.addAll(Arrays.asList(names.trim().split("\\s*,\\s*")));
  }

  /**
   * Adds patterns by name, separated by commas: {@code bearer}, {@code basic}, {@code jwt}, {@code
   * cloud-key}, {@code email}, {@code iban}, {@code card}, {@code ipv4}, {@code ipv6}.
   */
  public void addPattern(String names) {
    patterns.addAll(Arrays.asList(names.trim().split("\\s*,\\s*")));
  }

  /**
   * Adds a regular expression, of which all that it matches in a line is replaced; the whole line,
   * if that takes too long.
   */
  public void addRegex(String expression) {
    regexes.add(expression.trim());
  }

  void addAll(RedactOptions more) {
    keys.addAll(more.keys);
    patterns.addAll(more.patterns);
    regexes.addAll(more.regexes);
  }

  /**
   * Checks the options; if there are errors, the result must not be used. Messages have no
   * expression, which may contain what it is to find.
   *
   * @param isOfAccess whether events are those of an access log, which have no names
   * @hidden
   */
  @SuppressWarnings("exports")
  public Redactor validate(boolean isOfAccess, ConfigFindings findings) {
    for (String key : keys) {
      if (key.replace("*", "").isEmpty()) {
        findings.error(
            "<key> of <redact> is \"%s\": must be the name of a value, such as password or *token*"
                .formatted(key));
      }
    }
    if (isOfAccess && !keys.isEmpty()) {
      findings.error(
          "<key> of <redact>: requests have no such names; write <pattern> or <regex> instead");
    }
    if (keys.isEmpty() && patterns.isEmpty() && regexes.isEmpty()) {
      findings.error(
          "<redact> has no rule: write elements such as <key>password</key> or <pattern>jwt</pattern>");
    }
    return new Redactor(new RedactRules(List.copyOf(keys), named(findings), compiled(findings)));
  }

  private Set<NamedPattern> named(ConfigFindings findings) {
    Set<NamedPattern> named = EnumSet.noneOf(NamedPattern.class);
    for (String each : patterns) {
      NamedPattern known = NamedPattern.of(each);
      if (known == null) {
        findings.error("<pattern> of <redact> is \"%s\": must be of %s".formatted(each, PATTERNS));
      } else {
        named.add(known);
      }
    }
    return named;
  }

  private List<Pattern> compiled(ConfigFindings findings) {
    List<Pattern> compiled = new ArrayList<>();
    for (int i = 0; i < regexes.size(); i++) {
      try {
        Pattern pattern = Pattern.compile(regexes.get(i));
        if (pattern.matcher("").find()) {
          findings.error(
              "<regex> number %d of <redact> matches the empty text: it must need at least one character"
                  .formatted(i + 1));
        }
        compiled.add(pattern);
      } catch (PatternSyntaxException e) {
        findings.error(
            "<regex> number %d of <redact>: %s near index %d; must be a regular expression of Java"
                .formatted(i + 1, e.getDescription(), e.getIndex()));
      }
    }
    return compiled;
  }
}

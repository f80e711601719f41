package dev.forebay.tool;

import dev.forebay.ConfigFindings;
import dev.forebay.RedactOptions;
import dev.forebay.redact.Redactor;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What rules of {@code <redact>} find in a log that is there. */
@Command(
    name = "redact",
    description =
        "Count the lines of a file in which rules of <redact> find something; names are found in lines of JSON. Prints no line.")
final class Redact implements Callable<Integer> {

  private static final int SHOWN = 5;

  @Mixin private Output output = new Output();

  @Option(
      names = "--check",
      required = true,
      paramLabel = "FILE",
      description = "A log file, not compressed.")
  private Path file = Path.of("");

  @Option(names = "--key", paramLabel = "NAME", description = "As <key>; any number.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--pattern",
      paramLabel = "NAMES",
      description = "As <pattern>; any number. All patterns if there are no rules.")
  private List<String> patterns = new ArrayList<>();

  @Option(names = "--regex", paramLabel = "EXPRESSION", description = "As <regex>; any number.")
  private List<String> regexes = new ArrayList<>();

  /** The lines that a rule hits: how many, and the numbers of the first. */
  private static final class Found {
    private long lines;
    private final List<String> first = new ArrayList<>();

    void add(long line) {
      if (lines++ < SHOWN) {
        first.add(String.valueOf(line));
      }
    }
  }

  @Override
  public Integer call() throws IOException {
    Redactor redactor = redactor();
    Map<String, Found> found = new LinkedHashMap<>();
    redactor.counts().keySet().forEach(rule -> found.put(rule, new Found()));
    long lines = 0;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      for (byte[] line = next(in); line.length > 0; line = next(in)) {
        lines++;
        Map<String, Long> before = redactor.counts();
        if (redactor.redact(line, line.length, true) != null) {
          long number = lines;
          redactor
              .counts()
              .forEach(
                  (rule, count) -> {
                    if (count > before.getOrDefault(rule, 0L)) {
                      found.computeIfAbsent(rule, any -> new Found()).add(number);
                    }
                  });
        }
      }
    } catch (NoSuchFileException e) {
      throw ToolException.notFound("no such file: " + file);
    }
    boolean isAny = false;
    for (Map.Entry<String, Found> each : found.entrySet()) {
      Found of = each.getValue();
      isAny |= of.lines > 0;
      String first = of.first.stream().collect(Collectors.joining(", "));
      output.print(
          new Json().put("rule", each.getKey()).put("lines", of.lines).put("first", of.first),
          "%s: %d of %d lines%s"
              .formatted(each.getKey(), of.lines, lines, first.isEmpty() ? "" : ": " + first));
    }
    return isAny ? Main.FINDINGS : Main.OK;
  }

  private Redactor redactor() {
    RedactOptions options = new RedactOptions();
    keys.forEach(options::addKey);
    patterns.forEach(options::addPattern);
    regexes.forEach(options::addRegex);
    if (keys.isEmpty() && patterns.isEmpty() && regexes.isEmpty()) {
      options.addPattern(RedactOptions.PATTERNS);
    }
    ConfigFindings findings = new ConfigFindings();
    Redactor made = options.validate(false, findings);
    if (findings.hasErrors()) {
      List<String> errors = new ArrayList<>();
      findings.reportTo(errors::add);
      throw new ToolException(Main.USAGE, String.join("; ", errors).replace("not started: ", ""));
    }
    return made;
  }

  /** A line with its end; empty at the end of the file. */
  private static byte[] next(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      line.write(b);
      if (b == '\n') {
        break;
      }
    }
    return line.toByteArray();
  }
}

package dev.forebay.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.xml.stream.XMLStreamException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can stall an application or lose its lines. */
@Command(
    name = "doctor",
    description =
        "Say what can stall a running JVM or lose its lines, and what to write instead; ends with 1"
            + " if there is something.")
final class Doctor implements Callable<Integer> {

  @Mixin private Output output = new Output();

  @Option(
      names = "--framework",
      paramLabel = "NAME",
      description =
          "What stops Logback at the end: ${COMPLETION-CANDIDATES}; found out by default.")
  private Framework framework = Framework.UNKNOWN;

  @Parameters(paramLabel = "SUBJECT", description = "The process id of a JVM, or a logback.xml.")
  private String subject = "";

  @Override
  public Integer call() throws IOException {
    List<Advice> all = new ArrayList<>();
    if (subject.matches("\\d+")) {
      Jvm jvm = Jvm.of(subject);
      all.addAll(JvmRules.check(jvm.facts()));
      JvmConfiguration configuration = JvmConfiguration.of(jvm);
      Framework found = framework == Framework.UNKNOWN ? configuration.framework() : framework;
      for (JvmConfiguration.Source source : configuration.sources()) {
        all.addAll(check(source.name(), source.content(), found));
      }
      if (configuration.sources().isEmpty()) {
        output.note(
            "found no logback.xml on the class path of " + subject + "; name it: doctor FILE");
      }
    } else {
      all.addAll(ofFile(Path.of(subject)));
    }
    print(all);
    return all.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private List<Advice> ofFile(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw ToolException.notFound(
          "no file " + file + "; name a logback.xml or the process id of a JVM");
    }
    boolean isBoot = file.endsWith("logback-spring.xml");
    Framework found = isBoot && framework == Framework.UNKNOWN ? Framework.BOOT : framework;
    try (InputStream content = Files.newInputStream(file)) {
      return check(file.toString(), content, found);
    }
  }

  private static List<Advice> check(String name, InputStream content, Framework framework) {
    try {
      return LogbackRules.check(name, content, framework);
    } catch (XMLStreamException e) {
      throw new ToolException(
          ExitCode.FAILED,
          "%s is not well-formed XML, line %d: Logback cannot read it either"
              .formatted(name, e.getLocation() == null ? 0 : e.getLocation().getLineNumber()));
    }
  }

  private void print(List<Advice> all) {
    for (Advice advice : all) {
      if (output.isJson()) {
        output.json(advice.json());
      } else {
        output.line(advice.where());
        output.line("  " + advice.fault());
        output.line("  instead: " + advice.instead());
      }
    }
    if (all.isEmpty() && !output.isJson()) {
      output.line("found nothing that can stall it or lose lines");
    }
  }
}

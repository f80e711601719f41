package dev.forebay.tool;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** What in a {@code logback.xml} can stall the application or lose lines. For one file. */
final class LogbackRules {

  private static final String LOGBACK = "ch.qos.logback.core.";
  private static final Set<String> FILES =
      Set.of(LOGBACK + "FileAppender", LOGBACK + "rolling.RollingFileAppender");
  private static final String CONSOLE = LOGBACK + "ConsoleAppender";

  /** An appender with the facts the rules need. */
  private static final class Appender {
    private final String type;
    private final int line;
    private int unflushedLine;

    Appender(String type, int line) {
      this.type = type;
      this.line = line;
    }
  }

  private final String file;
  private final Framework framework;
  private final Map<String, Appender> appenders = new LinkedHashMap<>();

  /** Appenders that loggers call directly, not through another appender. */
  private final Set<String> called = new HashSet<>();

  private int hookLine;

  private LogbackRules(String file, Framework framework) {
    this.file = file;
    this.framework = framework;
  }

  /**
   * Judges a configuration.
   *
   * @param file its name, for messages
   */
  static List<Advice> check(String file, InputStream xml, Framework framework)
      throws XMLStreamException {
    LogbackRules rules = new LogbackRules(file, framework);
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    XMLStreamReader reader = factory.createXMLStreamReader(xml);
    try {
      rules.read(reader);
    } finally {
      reader.close();
    }
    return rules.judge();
  }

  private void read(XMLStreamReader xml) throws XMLStreamException {
    Appender current = null;
    while (xml.hasNext()) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        current = begin(xml, current);
      } else if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("appender")) {
        current = null;
      }
    }
  }

  private @Nullable Appender begin(XMLStreamReader xml, @Nullable Appender current)
      throws XMLStreamException {
    int line = xml.getLocation().getLineNumber();
    switch (xml.getLocalName()) {
      case "appender" -> {
        Appender appender = new Appender(attribute(xml, "class"), line);
        appenders.put(attribute(xml, "name"), appender);
        return appender;
      }
      case "appender-ref" -> {
        if (current == null) {
          called.add(attribute(xml, "ref"));
        }
      }
      case "shutdownHook" -> hookLine = line;
      case "immediateFlush" -> {
        if (current != null && xml.getElementText().trim().equalsIgnoreCase("false")) {
          current.unflushedLine = line;
        }
      }
      default -> {}
    }
    return current;
  }

  private static String attribute(XMLStreamReader xml, String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  private List<Advice> judge() {
    List<Advice> all = new ArrayList<>();
    appenders.forEach((name, appender) -> judge(name, appender, all));
    if (hookLine > 0 && framework.stopsLogback()) {
      all.add(
          new Advice(
              "shutdown-hook",
              file + ":" + hookLine,
              "Logback stops before the framework has: later lines are lost, and both may deadlock",
              "<!-- remove <shutdownHook/> -->"));
    }
    return all;
  }

  private void judge(String name, Appender appender, List<Advice> all) {
    boolean isFile = FILES.contains(appender.type);
    if (called.contains(name) && isFile) {
      all.add(
          new Advice(
              "synchronous-file",
              file + ":" + appender.line,
              "each log call writes to the disk itself: a stalled disk stops the application",
              "<appender name=\"" + name + "\" class=\"dev.forebay.tiered.TieredAppender\">"));
    }
    if (called.contains(name) && appender.type.equals(CONSOLE)) {
      all.add(
          new Advice(
              "synchronous-console",
              file + ":" + appender.line,
              "each log call writes to standard output itself: a reader that stops reading stops"
                  + " the application",
              ("<appender name=\"ASYNC\" class=\"dev.forebay.NonBlockingAppender\">"
                      + "<appender-ref ref=\"%s\"/></appender>, and <appender-ref ref=\"ASYNC\"/> in"
                      + " the loggers")
                  .formatted(name)));
    }
    if (isFile && appender.unflushedLine > 0 && hookLine == 0 && !framework.stopsLogback()) {
      all.add(
          new Advice(
              "unflushed-exit",
              file + ":" + appender.unflushedLine,
              "nothing flushes the last 8 KB when the JVM ends",
              "<immediateFlush>true</immediateFlush>, or <shutdownHook"
                  + " class=\"ch.qos.logback.core.hook.DefaultShutdownHook\"/>"));
    }
  }
}

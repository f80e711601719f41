package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogbackRulesTest {

  private static final String FILE = "ch.qos.logback.core.rolling.RollingFileAppender";

  private static List<Advice> check(Framework framework, String xml) throws XMLStreamException {
    byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
    return LogbackRules.check("logback.xml", new ByteArrayInputStream(bytes), framework);
  }

  private static List<String> ids(Framework framework, String... lines) throws XMLStreamException {
    return check(framework, String.join("\n", lines)).stream()
        .map(advice -> advice.id() + " " + advice.where())
        .toList();
  }

  @Test
  void anAppenderThatWritesInTheLogCallIsNamedWithItsLine() throws XMLStreamException {
    assertThat(
            ids(
                Framework.UNKNOWN,
                "<configuration>",
                "  <appender name='A' class='" + FILE + "'/>",
                "  <appender name='B' class='ch.qos.logback.core.FileAppender'/>",
                "  <appender name='C' class='ch.qos.logback.core.ConsoleAppender'/>",
                "  <logger name='x'><appender-ref ref='B'/></logger>",
                "  <root><appender-ref ref='A'/><appender-ref ref='C'/></root>",
                "</configuration>"))
        .containsExactly(
            "synchronous-file logback.xml:2",
            "synchronous-file logback.xml:3",
            "synchronous-console logback.xml:4");
  }

  @Test
  void anAppenderBehindAnotherOneOrUnusedIsFine() throws XMLStreamException {
    assertThat(
            ids(
                Framework.UNKNOWN,
                "<configuration>",
                "  <appender name='A' class='" + FILE + "'/>",
                "  <appender name='C' class='ch.qos.logback.core.ConsoleAppender'/>",
                "  <appender name='T' class='dev.forebay.tiered.TieredAppender'/>",
                "  <appender name='N' class='dev.forebay.NonBlockingAppender'>",
                "    <appender-ref ref='C'/>",
                "  </appender>",
                "  <root><appender-ref ref='N'/><appender-ref ref='T'/></root>",
                "</configuration>"))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aShutdownHookIsNamedWhereTheFrameworkStopsLogback(Framework framework)
      throws XMLStreamException {
    assertThat(ids(framework, "<configuration>", "<shutdownHook/>", "</configuration>"))
        .isEqualTo(
            framework == Framework.BOOT || framework == Framework.PLAY
                ? List.of("shutdown-hook logback.xml:2")
                : List.of());
  }

  @Test
  void aBufferThatNothingFlushesAtTheEndIsNamed() throws XMLStreamException {
    String[] lines = {
      "<configuration>",
      "  <appender name='A' class='" + FILE + "'>",
      "    <immediateFlush>false</immediateFlush>",
      "  </appender>",
      "</configuration>"
    };
    assertThat(ids(Framework.NONE, lines)).containsExactly("unflushed-exit logback.xml:3");
    assertThat(ids(Framework.BOOT, lines)).isEmpty();
    lines[0] += "<shutdownHook class='x'/>";
    assertThat(ids(Framework.NONE, lines)).isEmpty();
    lines[0] = "<configuration>";
    lines[2] = "    <immediateFlush>true</immediateFlush>";
    assertThat(ids(Framework.NONE, lines)).isEmpty();
  }

  @Test
  void noEntityIsEverResolved() {
    assertThatThrownBy(
            () ->
                check(
                    Framework.NONE,
                    "<!DOCTYPE c [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><c>&e;</c>"))
        .isInstanceOf(XMLStreamException.class);
    assertThatThrownBy(() -> check(Framework.NONE, "<configuration>"))
        .isInstanceOf(XMLStreamException.class);
  }
}

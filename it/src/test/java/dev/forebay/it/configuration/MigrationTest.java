package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.spi.ContextAware;
import dev.forebay.NonBlockingAppender;
import dev.forebay.it.support.Documents;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of migration.md against the classes they speak of. */
class MigrationTest {

  @TempDir Path directory;

  /** One line of a table: theirs, ours, what differs. */
  private record Row(String theirs, String ours, String differs) {}

  static Stream<Arguments> peers() {
    return Stream.of(
        Arguments.of(AsyncAppender.class, NonBlockingAppender.class),
        Arguments.of(FileAppender.class, TieredAppender.class),
        Arguments.of(RollingFileAppender.class, TieredAppender.class),
        Arguments.of(LoggingEventAsyncDisruptorAppender.class, NonBlockingAppender.class));
  }

  @ParameterizedTest
  @MethodSource("peers")
  void everyElementOfThePeerIsInItsTable(Class<?> peer, Class<?> ours) throws IOException {
    List<String> named =
        rows(peer).stream().flatMap(row -> Documents.names(row.theirs).stream()).toList();

    assertThat(elements(peer).keySet()).isNotEmpty().isSubsetOf(named);
    assertThat(named)
        .as("no element twice, and none that the peer does not have")
        .doesNotHaveDuplicates()
        .isSubsetOf(
            peer == FileAppender.class
                ? elements(RollingFileAppender.class).keySet()
                : elements(peer).keySet());
  }

  @ParameterizedTest
  @MethodSource("peers")
  void whatStandsBesideItIsAnElementOfOurs(Class<?> peer, Class<?> ours) throws IOException {
    for (Row row : rows(peer)) {
      assertThat(elements(ours).keySet()).as("%s", row).containsAll(Documents.names(row.ours));
      if (row.ours.equals("same")) {
        for (String element : Documents.names(row.theirs)) {
          assertThat(elements(ours)).containsEntry(element, elements(tableOf(peer)).get(element));
        }
      } else {
        assertThat(row.ours).as("%s", row).matches("–|(`[\\w-]+`(, )?)+");
      }
    }
  }

  /** The table of both file appenders is that of the one that rolls. */
  private static Class<?> tableOf(Class<?> peer) {
    return peer == FileAppender.class ? RollingFileAppender.class : peer;
  }

  /** Those of the Disruptor's appender are in SwappedConfigurationTest. */
  @ParameterizedTest
  @CsvSource({"immediateFlush, true", "bufferSize, 8 KB"})
  void whatHasNoMeaningIsOneWarning(String element, String value) throws Exception {
    assertThat(rows(FileAppender.class))
        .filteredOn(row -> Documents.names(row.theirs).contains(element))
        .allMatch(row -> row.differs.startsWith("no meaning"))
        .isNotEmpty();
    String places = Xml.places(directory.resolve("app.log"), directory) + Xml.MESSAGES;
    try (Tiered tiered = Tiered.with(places, "<%1$s>%2$s</%1$s>".formatted(element, value))) {
      assertThat(tiered.errors()).isEmpty();
      assertThat(tiered.warnings())
          .filteredOn(text -> text.contains("<" + element + "> has no meaning here"))
          .hasSize(1);
    }
  }

  /** What Joran finds in a class: element to type. */
  private static Map<String, Class<?>> elements(Class<?> type) {
    Map<String, Class<?>> elements = new HashMap<>();
    for (Method method : type.getMethods()) {
      String name = method.getName();
      if (name.matches("(set|add)[A-Z].*")
          && method.getParameterCount() == 1
          && method.getReturnType() == void.class
          && !isOfEveryComponent(method)) {
        String element = name.substring(3, 4).toLowerCase(Locale.ROOT) + name.substring(4);
        elements.put(
            element.equals("appender") ? "appender-ref" : element, method.getParameterTypes()[0]);
      }
    }
    return elements;
  }

  /** The context, and messages to its status manager: no configuration. */
  private static boolean isOfEveryComponent(Method method) {
    return Stream.of(ContextAware.class.getMethods())
        .anyMatch(common -> common.getName().equals(method.getName()));
  }

  /** The table of the section that has its name. */
  private static List<Row> rows(Class<?> peer) throws IOException {
    return Stream.of(Documents.read("migration.md").split("(?=\n## )", -1))
        .filter(section -> section.contains("`" + peer.getName() + "`"))
        .flatMap(section -> Documents.table(section).stream())
        .map(cells -> new Row(cells[0], cells[1], cells[2]))
        .toList();
  }
}

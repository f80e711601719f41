package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.joran.util.beans.BeanDescription;
import ch.qos.logback.core.joran.util.beans.BeanDescriptionCache;
import dev.forebay.NonBlockingAppender;
import dev.forebay.jvm.JvmLogAppender;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A native image keeps what Logback's configuration reaches by reflection, if it is told. */
class NativeImageTest {

  private static final Pattern ENTRY =
      Pattern.compile(
          "\\{\"name\": \"([\\w.]+)\", \"allPublicConstructors\": true, \"allPublicMethods\": true}");

  @Test
  void whatTheElementsOfAConfigurationSetIsDeclared() throws Exception {
    Set<String> declared = new TreeSet<>(declared("appender-core"));
    declared.addAll(declared("appender-tiered"));
    assertThat(declared).isEqualTo(configured());
  }

  /** The appenders, and the classes of ours that Logback makes for their elements. */
  private static Set<String> configured() {
    BeanDescriptionCache joran = new BeanDescriptionCache(new ContextBase());
    Set<String> names = new TreeSet<>();
    Deque<Class<?>> next =
        new ArrayDeque<>(
            List.of(NonBlockingAppender.class, TieredAppender.class, JvmLogAppender.class));
    while (!next.isEmpty()) {
      Class<?> type = next.remove();
      if (names.add(type.getName())) {
        BeanDescription elements = joran.getBeanDescription(type);
        Stream.of(elements.getPropertyNameToSetter(), elements.getPropertyNameToAdder())
            .flatMap(methods -> methods.values().stream())
            .map(Method::getParameterTypes)
            .map(parameters -> parameters[0])
            .filter(of -> of.getName().startsWith("dev.forebay.") && !of.isInterface())
            .forEach(next::add);
      }
    }
    return names;
  }

  private static Set<String> declared(String artifact) throws IOException {
    String path = "/META-INF/native-image/dev.forebay/" + artifact + "/reflect-config.json";
    Set<String> names = new TreeSet<>();
    try (InputStream file = TieredAppender.class.getResourceAsStream(path)) {
      Matcher entries = ENTRY.matcher(new String(file.readAllBytes(), StandardCharsets.UTF_8));
      while (entries.find()) {
        names.add(entries.group(1));
      }
    }
    return names;
  }
}

package dev.forebay.access;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.access.common.spi.AccessContext;
import ch.qos.logback.access.common.spi.IAccessEvent;
import jakarta.servlet.http.Cookie;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a copy of an access event says. */
class TakenEventTest {

  private static final Set<String> OF_THE_SERVER =
      Set.of("getRequest", "getResponse", "getServerAdapter");

  private final AccessContext context = new AccessContext();
  private final PooledRequest request = new PooledRequest(context);

  @ParameterizedTest
  @ValueSource(strings = {"one", ""})
  void itSaysWhatTheEventSaidAlsoWhenTheRequestIsSomebodyElses(String about) throws Exception {
    IAccessEvent event = request.next(about);
    event.prepareForDeferredProcessing();
    Map<String, Object> said = words(event);
    TakenEvent copy = TakenEvent.of(event);
    IAccessEvent unused = request.next("somebody else's");

    assertThat(words(copy)).isEqualTo(said);
    assertThat(said).hasSizeGreaterThan(28);
    assertThat(said.toString()).contains("/" + about).doesNotContain("somebody");
    assertThat(copy.getServerAdapter().getStatusCode()).isEqualTo(200);
    assertThat(copy.getServerAdapter().getContentLength()).isEqualTo(copy.getContentLength());
    assertThat(copy.getServerAdapter().buildResponseHeaderMap())
        .isEqualTo(copy.getResponseHeaderMap());
    assertThat(copy.getRequest()).isNull();
    assertThat(copy.getResponse()).isNull();
  }

  /** Those of a multipart form stand nowhere else. */
  @Test
  void whatItsParametersHoldWeighs() {
    TakenEvent copy = TakenEvent.of(request.next("one"));

    assertThat(copy.withTexts()).containsAll(copy.getRequestParameterMap().values());
  }

  /** All getters, those of one argument with a name that is there and one that is not. */
  private static Map<String, Object> words(IAccessEvent event) throws Exception {
    Map<String, Object> words = new LinkedHashMap<>();
    for (Method getter :
        Stream.of(IAccessEvent.class.getMethods())
            .filter(method -> method.getName().startsWith("get"))
            .filter(method -> !OF_THE_SERVER.contains(method.getName()))
            .toList()) {
      if (getter.getParameterCount() == 0) {
        words.put(getter.getName(), comparable(getter.invoke(event)));
      } else {
        for (String name : List.of("x", "missing")) {
          words.put(getter.getName() + " " + name, comparable(getter.invoke(event, name)));
        }
      }
    }
    return words;
  }

  /** Without the identity of arrays and cookies. */
  private static Object comparable(Object value) {
    if (value instanceof Enumeration<?> names) {
      return Collections.list(names);
    }
    if (value instanceof Cookie cookie) {
      return cookie.getName() + "=" + cookie.getValue();
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(TakenEventTest::comparable).toList();
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> comparable = new TreeMap<>();
      map.forEach((key, of) -> comparable.put(key, comparable(of)));
      return comparable;
    }
    return value instanceof Object[] array ? List.of(array) : String.valueOf(value);
  }
}

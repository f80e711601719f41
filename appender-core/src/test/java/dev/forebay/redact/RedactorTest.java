package dev.forebay.redact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.forebay.host.Secrets;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is replaced in a line, and what is not. */
@Tag("once")
class RedactorTest {

  private static final int TRIES = 500;

  private static final String[] WORDS = {
    "", "12", "user", "2026-11-29 22:55:31.123", "caf\u00e9", "a:b", "{\"a\":", "Authorization"
  };
  private static final String[] GAPS = {
    " ", " (", ", ", "\"", "\t", ": ", "= ", "[", ") ", "\\n", "\u00a7 ", "\nat ", "'", ";", "<",
    "\\\""
  };

  private final List<String> said = new ArrayList<>();

  private Redactor redactor(Set<NamedPattern> patterns, String... regexes) {
    List<Pattern> compiled = new ArrayList<>();
    for (String each : regexes) {
      compiled.add(Pattern.compile(each));
    }
    Redactor made = new Redactor(new RedactRules(List.of(), patterns, compiled));
    made.reportTo(said::add);
    return made;
  }

  private Redactor all() {
    return redactor(EnumSet.allOf(NamedPattern.class));
  }

  private static String redact(Redactor by, String line, Charset charset) {
    byte[] bytes = line.getBytes(charset);
    byte[] redacted = by.redact(bytes, bytes.length, true);
    return redacted == null ? line : new String(redacted, charset);
  }

  private static String redact(Redactor by, String line) {
    return redact(by, line, UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Authorization: Bearer abc123 x | Authorization: Bearer *** x",
        "authorization=bearer opaque | authorization=bearer ***",
        "the bearer of news | the bearer of news",
        "Authorization: Basic dXNlcjpwYXNz | Authorization: Basic ***",
        "sent Basic dXNlcjpwYXNz, ok | sent Basic ***, ok",
        "Basic information is missing | Basic information is missing",
        "t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x_-9. Next | t=***. Next",
        "key AKIAIOSFODNN7EXAMPLE. | key ***.",
        "url?key=AIzaSyA1234567890abcdefghijklmnopqrstuv&x=1 | url?key=***&x=1",
        "AccountKey=abc+/12==;Endpoint | AccountKey=***;Endpoint",
        "user <bob.x+y@mail.example.org>, ok | user <***>, ok",
        "to=bob@example.org. | to=***.",
        "Foo@1a2b3c and a@b | Foo@1a2b3c and a@b",
        "IBAN DE89 3704 0044 0532 0130 00 EUR | IBAN *** EUR",
        "iban=gb82west12345698765432; | iban=***;",
        "DE88370400440532013000 is wrong | DE88370400440532013000 is wrong",
        "card 4111 1111 1111 1111 ok | card *** ok",
        "7 4111-1111-1111-1111 2026 | 7 *** 2026",
        "4111111111111112 is wrong | 4111111111111112 is wrong",
        "0.4111111111111111 | 0.4111111111111111",
        "a4111111111111111f | a4111111111111111f",
        "1764457000003 ms | 1764457000003 ms",
        "from 10.0.0.1:80 to /192.168.1.255. | from ***:80 to /***.",
        "version 1.2.3.4.5 or 1.2.3 or 256.1.1.1 | version 1.2.3.4.5 or 1.2.3 or 256.1.1.1",
        "from [fe80::1%eth0]:80 | from [***%eth0]:80",
        "2001:db8:0:0:0:0:0:1 x | *** x",
        "::ffff:10.1.2.3 x | *** x",
        "at 1::2:34 x | at *** x",
        "2026-11-29 4111-1111-1111-1111 x | 2026-11-29 *** x",
        "2026-11-29T22:55:31.123 10.0.0.1 x | 2026-11-29T22:55:31.123 *** x",
        "2026-11-29 22:55:31:5:6:7:8:9 | 2026-11-29 ***",
        "12:34:56:78:9:a:b:c | ***",
        "2026-11-29 22:55:31.123 x | 2026-11-29 22:55:31.123 x",
        "No.4111111111111111 x | No.*** x",
        "host.10.0.0.1 x | host.*** x",
        "ip:2001:db8::1 eth0:fe80::1 client:::1 x | ip:*** eth0:*** client:*** x",
        "Foo:: a:b::c1x std::a | Foo:: a:b::c1x std::a",
        "in ASIA-PACIFIC-SOUTHEAST-1 of ASIA_SOUTHEAST_REGION | in ASIA-PACIFIC-SOUTHEAST-1 of ASIA_SOUTHEAST_REGION",
        "?to=bob%2Bx%40example.org&x=1%20 | ?to=***&x=1%20",
        "Bearer 12%7Ca3cdefg%3D, x | Bearer ***, x",
        "Authorization=Bearer+abc | Authorization=Bearer+***",
        "{Authorization=[Bearer abc]} | {Authorization=[Bearer ***]}",
        "Foo::bar std::vector 00:1a:2b:3c:4d:5e | Foo::bar std::vector 00:1a:2b:3c:4d:5e",
      })
  void onlyTheSecretIsReplaced(String line, String expected) {
    assertThat(redact(all(), line)).isEqualTo(expected);
    assertThat(redact(all(), line + "\n")).isEqualTo(expected + "\n");
    assertThat(redact(all(), "\r\n" + line + "\r\n")).isEqualTo("\r\n" + expected + "\r\n");
  }

  @Test
  void aTokenMayHaveABar() {
    assertThat(redact(all(), "Bearer 12|a3cdefg x\n")).isEqualTo("Bearer *** x\n");
  }

  @Test
  void aNumberInJsonBecomesAText() {
    assertThat(redact(all(), "{\"card\":4111111111111111,\"n\":[4111111111111111]}\n"))
        .isEqualTo("{\"card\":\"***\",\"n\":[\"***\"]}\n");
    assertThat(redact(all(), "{\"m\":\"\\\"a,4111111111111111,b\"}\n"))
        .isEqualTo("{\"m\":\"\\\"a,***,b\"}\n");
    assertThat(redact(all(), "{\"a\":-4111111111111111,\"b\":4111111111111111.5}\n"))
        .isEqualTo("{\"a\":\"***\",\"b\":\"***\"}\n");
    Redactor by = redactor(Set.of(), "[0-9]{3}");
    assertThat(redact(by, "{\"a\":[12345678,1.234e5],\"b\":\"12345678\"}\n"))
        .isEqualTo("{\"a\":[\"***\",\"***\"],\"b\":\"******78\"}\n");
  }

  @Test
  void aMatchThatEndsWithinAnEscapeLeavesValidJson() {
    Redactor by = redactor(Set.of(), "a\\W");
    assertThat(redact(by, "{\"m\":\"a\\\"b\",\"n\":1}\n")).isEqualTo("{\"m\":\"***b\",\"n\":1}\n");
  }

  @Test
  void anEscapeDoesNotHideASecret() {
    assertThat(redact(all(), "{\"m\":\"bob\\u0040example.org\"}")).isEqualTo("{\"m\":\"***\"}");
    assertThat(redact(all(), "{\"m\":\"\\\\u0062ob\\\\u0040example.org\"}"))
        .isEqualTo("{\"m\":\"***\"}");
    assertThat(redact(all(), "{\"m\":\"x\\n4111111111111111\\n\"}"))
        .isEqualTo("{\"m\":\"x\\n***\\n\"}");
    assertThat(redact(all(), "{\"m\":\"\\\"Bearer ab\\/12\\\"\"}"))
        .isEqualTo("{\"m\":\"\\\"Bearer ***\\\"\"}");
    assertThat(redact(redactor(Set.of(), "<pin>\\d+"), "{\"m\":\"\\u003cpin\\u003e1234\"}"))
        .isEqualTo("{\"m\":\"***\"}");
  }

  /** Whatever is around it, and however it is encoded. */
  @ParameterizedTest
  @ValueSource(
      strings = {"UTF-8", "ISO-8859-1", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE"})
  void noSecretSurvives(String charset) {
    Random random = new Random(charset.hashCode());
    Secrets secrets = new Secrets(random);
    Redactor by = all();
    for (int i = 0; i < TRIES; i++) {
      for (Map.Entry<String, String[]> each : secrets.all().entrySet()) {
        String before = before(random);
        String after = after(random);
        String secret = each.getValue()[0];
        String line = before + secret + after + "\n";
        String redacted = redact(by, line, Charset.forName(charset));
        assertThat(redacted).as("%s: %s", each.getKey(), line).doesNotContain(each.getValue()[1]);
        assertThat(redacted)
            .as(line)
            .contains("***")
            .startsWith(before.replaceFirst("\\\\n$", ""))
            .endsWith("\n");
        Redactor one = redactor(Set.of(Objects.requireNonNull(NamedPattern.of(each.getKey()))));
        assertThat(redact(one, line, Charset.forName(charset)))
            .as("%s alone: %s", each.getKey(), line)
            .doesNotContain(each.getValue()[1]);
        assertThat(one.counts())
            .as(line)
            .hasEntrySatisfying(each.getKey(), n -> assertThat(n).isPositive());
      }
    }
  }

  private static String before(Random random) {
    return oneOf(random, WORDS) + oneOf(random, GAPS);
  }

  private static String after(Random random) {
    return oneOf(random, GAPS) + oneOf(random, WORDS);
  }

  private static String oneOf(Random random, String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  @Test
  void aLineWithoutASecretIsNotTouched() {
    Redactor by = all();
    Random random = new Random(1);
    for (int i = 0; i < TRIES; i++) {
      String line =
          "2026-11-29 22:55:31,%03d [http-nio-8080-exec-%d] INFO  c.a.Orders - order %d of %s took %.3f ms, trace %016x\n"
              .formatted(
                  random.nextInt(1000),
                  random.nextInt(200),
                  random.nextInt(10_000_000),
                  new Secrets(random).text(6),
                  random.nextDouble() * 100,
                  random.nextLong());
      assertThat(redact(by, line)).isEqualTo(line);
    }
  }

  @Test
  void aRegularExpressionReplacesWhatItMatches() {
    Redactor by = redactor(Set.of(), "[A-Z]{2}\\d{6}", "(?<=pin=)\\p{L}+");
    assertThat(redact(by, "id AB123456, pin=äöü\n")).isEqualTo("id ***, pin=***\n");
    assertThat(by.counts()).containsEntry("regex-1", 1L).containsEntry("regex-2", 1L);
    assertThat(redact(by, "id AB123456, pin=äöü\n", StandardCharsets.ISO_8859_1))
        .isEqualTo("id ***, pin=***\n");
    assertThat(redact(by, "id AB123456, pin=äöü\n", StandardCharsets.UTF_16LE))
        .isEqualTo("id ***, pin=***\n");
  }

  /** Without a bound this takes longer than the test may. */
  @Test
  void aLineOnWhichARegularExpressionTakesTooLongIsReplacedWhole() {
    Redactor by = redactor(Set.of(), "(x+x+)+y\\1z");
    String line = "x".repeat(26) + " secret\r\n";
    for (int i = 0; i < 3; i++) {
      assertThat(redact(by, line)).isEqualTo("***\r\n");
    }
    assertThat(redact(by, "xxyxxz and more\n")).isEqualTo("*** and more\n");
    assertThat(redact(by, line, StandardCharsets.UTF_16BE)).isEqualTo("***\r\n");
    assertThat(by.counts()).containsEntry("regex-1", 5L);
    assertThat(said).hasSize(1).allMatch(text -> text.contains("regular expression number 1"));
  }

  @Test
  void aRegularExpressionThatTakesTheStackIsReplacedWhole() {
    Redactor by = redactor(Set.of(), "(?:a|b|cd)*e");
    assertThat(redact(by, "ab".repeat(500_000) + "\n")).isEqualTo("***\n");
    assertThat(said).hasSize(1);
  }

  /** Else a stranger's line could hold up the flusher. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "eyJ",
        "eyJ.",
        "eyJabcdefgh.",
        "a@",
        "a@b.cd ",
        "1:",
        "::",
        "1.1.1.1 ",
        "4111 1111 1111 1111 ",
        "DE89 ",
        "bearer ",
        "Basic dXNlcjpwYXNz ",
        "AKIA",
        "ghp_",
        "xoxb-",
        "\\\\",
        "\\u0040",
        "\"a\":",
        "\"key\":\"password\",\"value\":",
        "{\"key\":\"password\",\"value\":{\"a\":\"",
        "a%40",
        "bob@example.org pin=1 ",
        "a\\u0040b.cd ",
        "\0"
      })
  void aLongLineTakesNoLongerThanItsLength(String part) {
    Redactor by =
        new Redactor(
            new RedactRules(
                List.of("password"),
                EnumSet.allOf(NamedPattern.class),
                List.of(Pattern.compile("pin=\\d+"))));
    String line = "{\"m\":\"" + part.repeat(5_000_000 / part.length()) + "\"}\n";
    assertTimeout(Duration.ofSeconds(5), () -> redact(by, line));
  }

  @Test
  void fieldsOfJsonAreFoundByName() {
    Redactor by = new Redactor(new RedactRules(List.of("pass*"), Set.of(), List.of()));
    assertThat(redact(by, "{\"a\":\"b\",\"Password\" : \"x\\\"y\",\"c\":1}\n"))
        .isEqualTo("{\"a\":\"b\",\"Password\" : \"***\",\"c\":1}\n");
    assertThat(redact(by, "{\"password\":{\"a\":[1,\"}\"]},\"c\":{\"passwd\":12}}\n"))
        .isEqualTo("{\"password\":\"***\",\"c\":{\"passwd\":\"***\"}}\n");
    assertThat(redact(by, "{\"m\":[\"raw={\\\"password\\\":\\\"x\\\"}\"]}\n"))
        .isEqualTo("{\"m\":[\"raw={\\\"password\\\":\\\"***\\\"}\"]}\n");
  }

  @Test
  void pairsOfOtlpAreFoundByName() {
    Redactor by = new Redactor(new RedactRules(List.of("pass*"), Set.of(), List.of()));
    assertThat(
            redact(
                by,
                "[{\"key\":\"Password\",\"value\":{\"stringValue\":\"x\\\"y\"}},{\"key\":\"a\",\"value\":{\"intValue\":\"1\"}}]"))
        .isEqualTo(
            "[{\"key\":\"Password\",\"value\":{\"stringValue\":\"***\"}},{\"key\":\"a\",\"value\":{\"intValue\":\"1\"}}]");
    assertThat(
            redact(
                by,
                "{\"key\":\"pass\",\"value\":{\"arrayValue\":{\"values\":[{\"stringValue\":\"x\"},{\"doubleValue\":-1.5}]}}}"))
        .isEqualTo(
            "{\"key\":\"pass\",\"value\":{\"arrayValue\":{\"values\":[{\"stringValue\":\"***\"},{\"doubleValue\":\"***\"}]}}}");
    assertThat(redact(by, "{\"key\":\"pass\",\"value\":"))
        .isEqualTo("{\"key\":\"pass\",\"value\":");
  }

  @Test
  void aZeroByteHidesNothing() {
    Redactor by = redactor(EnumSet.allOf(NamedPattern.class), "pin=\\d+");
    assertThat(redact(by, "\0 bob@example.org pin=1234\n")).isEqualTo("\0 *** ***\n");
    assertThat(redact(by, "\0 bob\\u0040example.org\n")).isEqualTo("\0 ***\n");
  }
}

package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.rolling.helper.FileNamePattern;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pattern for names that mean the same in a process with another time zone and directory. */
class NamePatternTest {

  private final ContextBase context = new ContextBase();

  private NamePattern of(String pattern) {
    return NamePattern.of(pattern, ZoneId.systemDefault(), "/work dir", context);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/app.log | /app.log",
        "/a.%i.log | /a.%i.log",
        "/a.%d | /a.%d{yyyy-MM-dd, ZONE}",
        "/%d.%3i.log.gz | /%d{yyyy-MM-dd, ZONE}.%3i.log.gz",
        "/a.%d{}.log | /a.%d{yyyy-MM-dd, ZONE}.log",
        "/a.%d{yyyy}.log | /a.%d{yyyy, ZONE}.log",
        "/a.%d{yyyy, UTC}.log | /a.%d{yyyy, UTC}.log",
        "/a.%d{yyyy,Asia/Tokyo,aux}/%d{HH}x | /a.%d{yyyy,Asia/Tokyo,aux}/%d{HH, ZONE}x",
        "/%d{yyyy/MM,aux}/%d{yyyy-MM-dd}.log | /%d{yyyy/MM,aux, ZONE}/%d{yyyy-MM-dd, ZONE}.log",
        "/%d{\"yyyy,MM\", AUX}/a%d | /%d{\"yyyy,MM\", AUX, ZONE}/a%d{yyyy-MM-dd, ZONE}",
        "/a(1)%d{HH}.log | /a(1)%d{HH, ZONE}.log",
        "/a%d{yyyy-MM-dd'T'HH}.log | /a%d{yyyy-MM-dd'T'HH, ZONE}.log",
        "/%d%d{HH,aux} | /%d{yyyy-MM-dd, ZONE}%d{HH,aux, ZONE}",
        "/%dog-%d | /%dog-%d{yyyy-MM-dd, ZONE}",
        "logs/a.%d | /work dir/logs/a.%d{yyyy-MM-dd, ZONE}",
        "%d/a.log | /work dir/%d{yyyy-MM-dd, ZONE}/a.log",
      })
  void eachDateGetsTheZoneThatItHasNot(String pattern, String expected) {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
      NamePattern known = of(pattern);
      assertThat(known.text()).isEqualTo(expected.replace("ZONE", "Pacific/Kiritimati"));

      FileNamePattern there = new FileNamePattern(pattern, context);
      TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
      FileNamePattern here = new FileNamePattern(known.text(), context);
      String prefix = pattern.startsWith("/") ? "" : "/work dir/";
      for (Instant when : List.of(Instant.EPOCH, Instant.parse("2026-10-25T00:30:00Z"))) {
        assertThat(here.convertMultipleArguments(when, 7))
            .isEqualTo(prefix + there.convertMultipleArguments(when, 7));
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void aZoneThatIsADifferenceIsWrittenToo() {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("GMT-05:30"));
      assertThat(of("/%d.log").text()).isEqualTo("/%d{yyyy-MM-dd, GMT-05:30}.log");
      TimeZone.setDefault(TimeZone.getTimeZone("Etc/GMT+5"));
      assertThat(of("/%d.log").text()).isEqualTo("/%d{yyyy-MM-dd, Etc/GMT+5}.log");
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/100%d", "/50%/x"})
  void aDirectoryThatAPatternCannotNameIsRefused(String directory) {
    assertThatThrownBy(() -> NamePattern.of("a.%d.log", ZoneId.of("UTC"), directory, context))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("<fileNamePattern> a.%d.log cannot be described")
        .hasMessageContaining("write <shipping>inside</shipping>");
  }

  @Test
  void theLocaleMattersWhereThereAreWordsAndWeeks() {
    assertThat(of("/a.%d{yyyy-MM-dd_HH-mm-ss.SSS}.%i.log").hasLocale()).isFalse();
    assertThat(of("/%d{yyyy/MM/dd,aux}/%d{yyDDD}").hasLocale()).isFalse();
    for (String date :
        List.of("yyyy-MMM", "yyyy-LLLL", "EEE-yyyy-MM-dd", "yyyy-ww", "YYYY-MM-dd")) {
      assertThat(of("/a.%d{" + date + ",aux}.%d").hasLocale()).as(date).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy-MMM, en-US, de-DE, false",
    "yyyy-MMM, en-US, en, true",
    "yyyy-MMM-EEE, de-DE, fr-FR, false",
    "yyyy-ww, en-US, en, true",
    "yyyy-ww, en-US, en-GB, false",
    "yyyy-ww, de-DE, fr-FR, true",
    "yyyy-MM-dd-a, en-US, ja-JP, false",
  })
  void localesAreTheSameIfNamesAndWeeksAre(String date, String one, String other, boolean isSame) {
    NamePattern pattern = of("/a.%d{" + date + "}.log");
    assertThat(pattern.isSameIn(Locale.forLanguageTag(one), Locale.forLanguageTag(other)))
        .isEqualTo(isSame);
  }
}

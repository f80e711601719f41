package dev.forebay.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An access log with {@code <redact>}. */
class RedactedAccessLogTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;

  private static String pattern(String pattern) {
    return "<encoder><pattern>%s</pattern></encoder>".formatted(pattern);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noSecretOfARequestIsInTheLog(boolean callersEncode) throws Exception {
    String rules = "<redact><pattern>email</pattern><regex>x: \\w+</regex></redact>";
    String encoding = "<callerEncoding>%s</callerEncoding>".formatted(callersEncode);
    try (AccessLog log =
        AccessLog.tiered(directory, pattern("%u %r %fullRequest|%n") + rules + encoding)) {
      log.request("bob@example.org");
      assertThat(log.tiered().flush(LONG)).isTrue();
      assertThat(log.problems()).isEmpty();
    }
    assertThat(Files.readString(directory.resolve("access.log")))
        .contains("***", "POST")
        .doesNotContain("bob", "example.org");
  }

  @Test
  void aRequestHasNoNamesForRedaction() throws Exception {
    try (AccessLog log =
        AccessLog.tiered(directory, pattern("%r%n") + "<redact><key>password</key></redact>")) {
      assertThat(log.problems()).anyMatch(text -> text.contains("<key> of <redact>"));
    }
  }
}

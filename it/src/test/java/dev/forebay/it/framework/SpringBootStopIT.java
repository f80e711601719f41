package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a Spring Boot application may start and end, and where its events are afterwards. */
@Tag("soak")
class SpringBootStopIT {

  private static final int MESSAGES = 50;
  private static final int LAST_WORDS = 20;
  private static final String FAST = "<fsync>50 milliseconds</fsync>";

  /** Has Logback print every status of its own start and of Boot's. */
  private static final String SAY_ALL =
      "-Dlogback.statusListenerClass=ch.qos.logback.core.status.OnConsoleStatusListener";

  @AutoClose private final Places places = Places.create();

  private BootProcess start(Path jar, String... options) throws Exception {
    return BootProcess.start(jar, places.root(), options);
  }

  private static Oracle oracle() {
    return new Oracle()
        .producer("p", MESSAGES, MESSAGES)
        .producer("last", LAST_WORDS, LAST_WORDS)
        .complete(0);
  }

  /** Logback reads logback.xml when the first logger is asked for, then Boot reads it again. */
  @Tag("nightly")
  @Test
  void aConfigurationThatIsReadTwiceLeavesNoSecondSpoolAndNoWarning() throws Exception {
    Path jar =
        FatJar.BOOT_4.with("logback.xml", BootXml.tiered(places, FAST), places.directory("jar"));
    try (BootProcess boot = start(jar, SAY_ALL)) {
      boot.log("p", 0, MESSAGES);
      assertThat(boot.output().lines().filter(line -> line.contains("appender named [LOG]")))
          .as("started twice: %s", boot.output())
          .hasSize(2);
      assertThat(boot.problems()).isEmpty();
      assertThat(boot.output()).doesNotContain("|-WARN", "|-ERROR");
      assertThat(boot.accounts()).containsOnlyKeys("LOG");
      assertThat(SpoolPeek.spools(places.spool())).hasSize(1);
      boot.sayAtTheEnd("last", LAST_WORDS);
      boot.terminate();
      assertThat(boot.output()).doesNotContain("|-WARN", "|-ERROR");
    }
    oracle().requireSound(BootXml.ours(places.lines()));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }
}

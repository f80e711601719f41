package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import dev.forebay.pipeline.CallDurability;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.overflow.OverflowSettings;
import dev.forebay.tiered.ship.FsyncPolicy;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TieredOptionsTest {

  private static final Path LOG = Path.of("/logs/app.log");

  private final TieredOptions options = new TieredOptions();
  private final ConfigFindings findings = new ConfigFindings();

  private List<String> messages() {
    return Joran.messages(findings);
  }

  /** {@code current} may be a link: then the kernel means another directory than the text does. */
  @Test
  void aSpoolDirectoryIsTheOneThatTheKernelMeans() {
    options.spoolDirectory = "/srv/current/../spool";

    assertThat(options.validate(LOG, null, List.of(), findings).spoolDirectory())
        .isEqualTo(Path.of("/srv/current/../spool"));
  }

  @ParameterizedTest
  @CsvSource({"1 hour, 3600000", "' 5 SECONDS ', 5000", "500ms, 500", "ALWAYS, 0", "Never, -1"})
  void fsyncIsAnIntervalOrAWord(String text, long ms) {
    options.fsync = text;
    assertThat(options.validate(LOG, null, List.of(), findings).fsync())
        .isEqualTo(
            ms > 0
                ? FsyncPolicy.every(ms * 1_000_000)
                : ms == 0 ? FsyncPolicy.ALWAYS : FsyncPolicy.NEVER);
    assertThat(messages()).isEmpty();
  }

  @Test
  void anOverflowDirectoryHasASizeAndIsAnother() {
    assertThat(options.validate(LOG, null, List.of(), findings).overflow()).isNull();
    options.overflowDirectory = "/var/spool/app";
    assertThat(options.validate(LOG, null, List.of(), findings).overflow())
        .isEqualTo(new OverflowSettings(Path.of("/var/spool/app"), 1L << 30));
    assertThat(messages()).isEmpty();
    options.overflowSize = FileSize.valueOf("1KB");
    options.overflowDirectory = options.spoolDirectory;
    options.validate(LOG, null, List.of(), findings);
    options.overflowDirectory = null;
    options.overflowSize = FileSize.valueOf("2GB");
    assertThat(options.validate(LOG, null, List.of(), findings).overflow()).isNull();

    assertThat(String.join("\n", messages()))
        .contains("<overflowSize> is 1024 bytes: must be between 4194304 and 1099511627776 bytes")
        .contains("which is the <spoolDirectory>: must be on another disk")
        .contains("<overflowSize> has no meaning here: there is no <overflowDirectory>");
  }

  @Test
  void durabilityIsAWordALevelOrAMarker() {
    assertThat(options.validate(LOG, null, List.of(), findings).durability()).as("ring").isNull();
    options.durability = " Call ";
    assertThat(options.validate(LOG, null, List.of(), findings).durability())
        .isEqualTo(new CallDurability(0, null, 100_000_000));
    options.durability = "error";
    options.durabilityTimeout = "3 ms";
    assertThat(options.validate(LOG, null, List.of(), findings).durability())
        .isEqualTo(new CallDurability(4, null, 3_000_000));
    options.durability = "marker: AUDIT ";
    assertThat(options.validate(LOG, null, List.of(), findings).durability())
        .isEqualTo(new CallDurability(5, "AUDIT", 3_000_000));
    assertThat(messages()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fsync             | 0 milliseconds | 0 ms: must be between 1 and 3600000 ms
          fsync             | 5 parsecs | "5 parsecs": must be never, always or an interval such as \
          "1 second", from 1 millisecond to 1 hour
          durability        | AUDIT     | "AUDIT": must be ring, call, a level (TRACE, DEBUG, INFO, \
          WARN or ERROR) or marker:NAME
          durability        | marker:   | "marker:": must be ring, call, a level (TRACE, DEBUG, INFO, \
          WARN or ERROR) or marker:NAME
          durabilityTimeout | 0         | 0 ms: must be between 1 and 60000 ms
          durabilityTimeout | soon      | "soon": must be a time
          segmentSize       | 65535     | 65535 bytes: must be between 65536 and 1073741824 bytes
          spoolSize         | 2048GB    | 2199023255552 bytes: must be between 1 and 1099511627776 \
          bytes
          spoolSize         | 4194303   | 4194303 bytes: must hold at least one segment, and \
          <segmentSize> is 4194304 bytes
          filePermissions   | rwxr-x--- | "rwxr-x---": must be nine characters as ls shows them, which \
          let the owner read and write and nobody execute, such as rw-r-----
          filePermissions   | 0640      | "0640": must be nine characters as ls shows them, which let \
          the owner read and write and nobody execute, such as rw-r-----
          filePermissions   | r--r----- | "r--r-----": must be nine characters as ls shows them, which \
          let the owner read and write and nobody execute, such as rw-r-----
          spoolDirectory    | a\0b      | "a?b": must be a path;
          """)
  void aMistakeIsNamedWithItsLimitsOrChoices(String element, String value, String message) {
    switch (element) {
      case "fsync" -> options.fsync = value;
      case "durability" -> options.durability = value;
      case "durabilityTimeout" -> {
        options.durability = "call";
        options.durabilityTimeout = value;
      }
      case "filePermissions" -> options.filePermissions = value;
      case "segmentSize" -> options.segmentBytes = Long.parseLong(value);
      case "spoolSize" -> options.spoolSize = FileSize.valueOf(value);
      default -> options.spoolDirectory = value;
    }

    options.validate(LOG, null, List.of(), findings);

    assertThat(messages())
        .singleElement()
        .asString()
        .startsWith("Appender [A]: not started: <" + element + "> is " + message);
  }

  @Test
  void aForceIsNeverLaterThanItsIntervalBecauseOfTheLooksBetween() {
    long msNs = 1_000_000;
    for (long intervalMs : new long[] {1, 10, 150, 1000, 3_600_000}) {
      FsyncPolicy policy = FsyncPolicy.every(intervalMs * msNs);
      long lastLookNs = Math.max(1, intervalMs * msNs - policy.lookEveryNs());

      assertThat(policy.lookEveryNs()).isBetween(10 * msNs, 100 * msNs);
      assertThat(policy.isDue(lastLookNs + 1)).as("%d ms", intervalMs).isTrue();
    }
    assertThat(FsyncPolicy.every(1000 * msNs).isDue(900 * msNs)).isFalse();
    assertThat(FsyncPolicy.ALWAYS.isDue(0)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          size        | 8388607   | 8388607 bytes: .* 8388608 bytes.*smaller <segmentSize>
          keep        | 0         | 0 ms: .*between 1 and
          keep        | long      | "long": .*a time
          after       | 2 minutes | 120000 ms.*60000 ms
          minInterval | 2 days    | .*86400000 ms
          maxDumps    | 0         | 0: .*10000
          level       | FINE      | "FINE": .*TRACE
          level       | ERROR     | ERROR.*<dumpOn> is WARN.*write a <level> of at most WARN
          dumpOn      | alarm     | "alarm": .*marker:NAME or OFF
          key         | ' '       | empty.*remove <key>
          """)
  void aMistakeInAFlightRecorderIsNamedWithItsLimitsOrChoices(
      String element, String value, String message) {
    FlightRecorderOptions recorder = new FlightRecorderOptions();
    switch (element) {
      case "size" -> recorder.setSize(FileSize.valueOf(value));
      case "keep" -> recorder.setKeep(value);
      case "after" -> recorder.setAfter(value);
      case "minInterval" -> recorder.setMinInterval(value);
      case "maxDumps" -> recorder.setMaxDumps(Integer.parseInt(value));
      case "level" -> {
        recorder.setLevel(value);
        recorder.setDumpOn("WARN");
      }
      case "dumpOn" -> recorder.setDumpOn(value);
      default -> recorder.setKey(value);
    }

    recorder.validate(4 << 20, findings);

    assertThat(findings.hasErrors()).isTrue();
    assertThat(messages())
        .singleElement()
        .asString()
        .containsPattern("<" + element + "> of <flightRecorder> is " + message);
  }

  @Test
  void aDestinationOfTheJvmsLogIsRefusedSinceItsLinesHaveNoAttributes() {
    options.jvm = new JvmOptions();
    options.destination =
        (DestinationOptions)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DestinationOptions.class},
                (proxy, method, arguments) -> method.getName().equals("name") ? "nowhere" : null);

    TieredSettings unused = options.validate(Path.of("nowhere"), null, List.of(), findings);

    assertThat(findings.hasErrors()).isTrue();
  }
}

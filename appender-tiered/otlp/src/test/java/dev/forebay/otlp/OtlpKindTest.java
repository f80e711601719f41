package dev.forebay.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.ConfigFindings;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.Description;
import dev.forebay.tiered.apart.LogDescriptions;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A collector that another process sends to. */
class OtlpKindTest {

  private static final String SECRET = "s3cret";

  @TempDir Path spool;
  private final OtlpDestination configured = new OtlpDestination(Map.of());
  private final List<String> faults = new ArrayList<>();

  private Map<String, String> described() {
    configured.setEndpoint("https://u:" + SECRET + "@localhost:1/v1/logs?key=" + SECRET);
    configured.addResource("service.name=shop");
    configured.addHeader("X-Key=" + SECRET);
    configured.setCompression("none");
    configured.setTimeout("3 seconds");
    configured.setProxy("localhost:2");
    configured.setCaCertificate("ca.pem");
    configured.setClientCertificate("client.pem");
    configured.setClientKey("client.key");
    configured.validate(100, new ConfigFindings());
    return new HashMap<>(configured.description());
  }

  @Test
  void allThatAClientNeedsIsDescribed() throws IOException {
    Map<String, String> all = described();
    assertThat(all)
        .containsEntry("kind", "otlp")
        .containsEntry("endpoint", "https://localhost:1/v1/logs?key=" + SECRET)
        .containsEntry("isCompressed", "false")
        .containsEntry("timeoutMs", "3000")
        .containsEntry("proxy", "localhost:2")
        .containsEntry("caCertificate", Path.of("ca.pem").toAbsolutePath().toString())
        .containsEntry("clientCertificate", Path.of("client.pem").toAbsolutePath().toString())
        .containsEntry("clientKey", Path.of("client.key").toAbsolutePath().toString())
        .containsEntry("header.X-Key", SECRET)
        .containsKey("header.Authorization");

    OtlpSettings there = OtlpSettings.of(new Described(all));
    assertThat(there.description()).isEqualTo(all);
    assertThat(there.toString()).doesNotContain(SECRET);
  }

  @Test
  void itGoesThroughASpoolAndIsFoundThere() throws IOException {
    Map<String, String> unused = described();
    Description written =
        Objects.requireNonNull(
            LogDescriptions.of(
                Path.of(configured.name()),
                configured,
                new byte[0],
                new byte[0],
                new byte[] {'\n'},
                FsyncPolicy.every(1_000_000_000),
                faults::add));
    NioDisk disk = new NioDisk();
    Files.write(spool.resolve("description"), written.encode());
    Description read = Objects.requireNonNull(Description.read(disk, spool));
    assertThat(read.toString()).doesNotContain(SECRET);
    Destination made =
        LogDescriptions.destination(
            read, disk, faults::add, new ShippingListener() {}, NanoClock.SYSTEM);

    assertThat(made).isInstanceOf(CollectorDestination.class);
    assertThat(made.name()).isEqualTo("collector localhost:1/v1/logs");
    assertThat(faults).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "endpoint, s3cret, has a endpoint that this process does not know",
    "timeoutMs, s3cret, has a timeoutMs that this process does not know",
    "isCompressed, s3cret, has a isCompressed that this process does not know",
    "resource, s3cret, has a resource that this process does not know",
    "endpoint, -, the description of the log has no endpoint",
  })
  void whatCannotBeUsedHereIsRefusedWithoutValues(String key, String value, String fault) {
    Map<String, String> all = described();
    if (value.equals("-")) {
      all.remove(key);
    } else {
      all.put(key, value);
    }
    assertThatThrownBy(
            () -> new OtlpKind().destination(new Described(all), new ShippingListener() {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(fault)
        .message()
        .doesNotContain(SECRET);
  }
}

package dev.forebay.tiered.apart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.Target;
import dev.forebay.tiered.spool.SpoolNames;
import dev.forebay.tiered.stream.StandardStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From what ships inside to a file, and from the file to what ships in another process. */
@Tag("once")
class LogDescriptionsTest {

  private static final byte[] NOTHING = {};

  @TempDir Path dir;
  private final Disk disk = new NioDisk();
  private final List<String> told = new ArrayList<>();

  private LogSettings plain(byte[] header) {
    return new LogSettings(
        disk,
        dir.resolve("app.log").toString(),
        true,
        null,
        null,
        ByteBuffer.wrap(header),
        ByteBuffer.wrap(NOTHING),
        ByteBuffer.wrap("\n".getBytes(UTF_8)),
        null,
        told::add,
        new ShippingListener() {});
  }

  private Description describe(FsyncPolicy fsync) {
    return Objects.requireNonNull(
        LogDescriptions.of(dir.resolve("app.log"), plain(NOTHING), fsync, told::add));
  }

  private Destination destination(Description from) throws IOException {
    return LogDescriptions.destination(
        from, disk, told::add, new ShippingListener() {}, NanoClock.SYSTEM);
  }

  @Test
  void aLogOfFilesGoesThroughASpool() throws IOException {
    Files.write(dir.resolve(SpoolNames.DESCRIPTION), describe(FsyncPolicy.ALWAYS).encode());
    Description read = Objects.requireNonNull(Description.read(disk, dir));
    assertThat(LogDescriptions.log(read)).isEqualTo(dir.resolve("app.log"));
    assertThat(LogDescriptions.isOfFiles(read)).isTrue();
    Destination made = destination(read);
    assertThat(made).isInstanceOf(FileDestination.class);
    assertThat(made.name()).isEqualTo(dir.resolve("app.log").toString());
    assertThat(dir.resolve("app.log")).as("nothing was opened").doesNotExist();
    assertThat(told).isEmpty();
  }

  @Test
  void whenRecordsAreForcedIsDescribed() throws IOException {
    for (FsyncPolicy fsync :
        List.of(FsyncPolicy.NEVER, FsyncPolicy.ALWAYS, FsyncPolicy.every(1_500_000_000))) {
      assertThat(LogDescriptions.fsync(describe(fsync))).isEqualTo(fsync);
    }
    assertThat(describe(FsyncPolicy.every(1_500_000_000)).values())
        .containsEntry("fsync", "1500000000");
  }

  @Test
  void whatIsTooLongIsAFault() {
    assertThat(
            LogDescriptions.of(
                dir.resolve("app.log"), plain(new byte[40_000]), FsyncPolicy.NEVER, told::add))
        .isNull();
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith("a description of 80")
        .contains("is too long: at most 65536")
        .endsWith("write <shipping>inside</shipping>");
  }

  @Test
  void aStreamStaysInItsProcess() {
    assertThat(
            LogDescriptions.of(
                Path.of("System.out"),
                StandardStream.OUT,
                NOTHING,
                NOTHING,
                NOTHING,
                FsyncPolicy.NEVER,
                told::add))
        .isNull();
    assertThat(told)
        .containsExactly(
            "System.out cannot be written by another process: write <shipping>inside</shipping>");
  }

  private record Elsewhere(Map<String, String> said) implements Target {
    @Override
    public String name() {
      return "elsewhere";
    }

    @Override
    public Destination destination(
        byte[] header, byte[] footer, byte[] lineEnd, ShippingListener listener) {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Map<String, String> description() {
      return said;
    }
  }

  @Test
  void aKindWithoutItsJarIsRefusedWithoutItsValues() throws IOException {
    Description all =
        Objects.requireNonNull(
            LogDescriptions.of(
                Path.of("elsewhere"),
                new Elsewhere(Map.of("kind", "pigeons", "password", "s3cret")),
                "head".getBytes(UTF_8),
                NOTHING,
                NOTHING,
                FsyncPolicy.ALWAYS,
                told::add));
    assertThat(all.values()).containsEntry("header", "68656164").containsEntry("log", "elsewhere");
    assertThat(LogDescriptions.isOfFiles(all)).isFalse();
    assertThat(all.toString()).doesNotContain("s3cret");
    assertThatThrownBy(() -> destination(all))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "this process cannot write to a log of kind pigeons: put the jar forebay-pigeons on its class path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind | - | the description of the log has no kind",
        "fsync | often | has a fsync that this process does not know",
        "fsync | -1 | has a fsync that this process does not know",
        "file | - | names no file",
      })
  void whatIsMissingOrUnknownIsSaid(String key, String value, String fault) {
    Map<String, String> values = new HashMap<>(describe(FsyncPolicy.NEVER).values());
    if (value.equals("-")) {
      values.remove(key);
    } else {
      values.put(key, value);
    }
    assertThatThrownBy(() -> destination(new Description(values)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(fault);
  }
}

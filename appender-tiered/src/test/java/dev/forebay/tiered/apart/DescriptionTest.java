package dev.forebay.tiered.apart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file that says what another process must know of a log. */
@Tag("once")
class DescriptionTest {

  private static final Map<String, String> VALUES = Map.of("log", "/var/log/app.log");

  private final Disk disk = new NioDisk();
  @TempDir Path spool;

  private Path file() {
    return spool.resolve(SpoolNames.DESCRIPTION);
  }

  private void write() throws IOException {
    try (DiskFile made = disk.open(file(), Disk.Mode.CREATE_PRIVATE)) {
      made.writeFully(ByteBuffer.wrap(new Description(VALUES).encode()), 0);
    }
  }

  @Provide
  static Arbitrary<Map<String, String>> anyValues() {
    Arbitrary<String> text =
        Arbitraries.strings()
            .withChars('\\', '=', ':', '#', '!', ' ', '\n', '\r', '\t', '\f', '\0', 'u', 'n', 'ü')
            .withChars('\u0085', '\u2028', '\uD83D', '\uDE00', '\uFFFD', '4', 'a')
            .ofMaxLength(12);
    return Arbitraries.maps(text.filter(key -> !key.isEmpty()), text).ofMaxSize(6);
  }

  @Property(seed = "1")
  void anyValuesAreReadAsTheyWereAndByPropertiesToo(@ForAll("anyValues") Map<String, String> values)
      throws IOException {
    byte[] bytes = new Description(values).encode();
    assertThat(Description.decode(bytes).values()).isEqualTo(values);

    String[] lines = new String(bytes, UTF_8).split("\n", 2);
    Properties read = new Properties();
    read.load(new StringReader(lines[1].substring(0, lines[1].lastIndexOf("crc32c="))));
    assertThat(new LinkedHashMap<>(read)).isEqualTo(values);
  }

  @Test
  void itIsTextThatAnybodyCanCheck() throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("log", "/var/log/app.log");
    values.put("kind", "file");
    byte[] bytes = new Description(values).encode();
    String text = "forebay description 1\nlog=/var/log/app.log\nkind=file\n";
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(UTF_8));
    assertThat(new String(bytes, UTF_8))
        .isEqualTo("%scrc32c=%08x\n".formatted(text, crc.getValue()));
  }

  @Test
  void itIsReadFromASpool() throws IOException {
    assertThat(Description.read(disk, spool)).isNull();
    write();
    Description read = Description.read(disk, spool);
    assertThat(read.values()).isEqualTo(VALUES);
    assertThat(read.toString()).doesNotContain("app.log");
  }

  @Test
  void eachChangedOrMissingByteIsNoticed() throws IOException {
    byte[] whole = new Description(VALUES).encode();
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> Description.decode(changed))
          .isInstanceOf(IOException.class)
          .hasMessageMatching("is (damaged: |of version \\d).*");
      byte[] cut = Arrays.copyOf(whole, i);
      assertThatThrownBy(() -> Description.decode(cut))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("is damaged: ");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "forebay description 2\\nwhatever\\n | is of version 2, this is a reader of version 1: update it",
        "forebay description 1\\nlog=a\\ncrc32c=00000000\\n | is damaged: its checksum does not match its 44 bytes",
        "forebay 1\\n | is damaged: it does not begin with \"forebay description\"",
        "'' | is damaged: it does not begin with",
      })
  void whatIsWrongWithItIsSaid(String content, String fault) throws IOException {
    write();
    Files.writeString(file(), content.replace("\\n", "\n"));
    assertThatThrownBy(() -> Description.read(disk, spool))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file() + " " + fault);
  }

  @Test
  void aFileThatIsNotOursAloneIsNotTrusted() throws IOException {
    write();
    Files.createLink(spool.resolve("other"), file());
    assertThatThrownBy(() -> Description.read(disk, spool))
        .hasMessageContaining("description has 2 hard links; required: a file of user")
        .hasMessageContaining("with mode 0600, with one name");
    Files.delete(file());
    Files.createSymbolicLink(file(), spool.resolve("other"));
    assertThatThrownBy(() -> Description.read(disk, spool))
        .hasMessageContaining("description is a symbolic link; required");
  }

  @Test
  void tooLongIsRefused() throws IOException {
    Description longest =
        new Description(Map.of("a", "x".repeat(Description.LIMIT_BYTES - 22 - 3 - 16)));
    assertThat(longest.encode()).hasSize(Description.LIMIT_BYTES);
    Files.write(file(), longest.encode());
    assertThat(Description.read(disk, spool)).isNotNull();
    Files.writeString(file(), "x".repeat(Description.LIMIT_BYTES + 1));
    assertThatThrownBy(() -> Description.read(disk, spool))
        .hasMessageContaining("is too long: 65537 bytes, at most 65536");
  }
}

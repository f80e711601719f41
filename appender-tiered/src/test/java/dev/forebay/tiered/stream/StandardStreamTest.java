package dev.forebay.tiered.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardStreamTest {

  private static final String LONG = "x".repeat(StandardStream.ATOMIC_BYTES) + "\n";

  @TempDir Path directory;
  private Path descriptor;
  private StandardStream stream;

  private static final byte[] LINE_END = {'\n'};

  /** What {@code System.out} is, and what it was given. */
  private @Nullable PrintStream current;

  private ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @BeforeEach
  void open() throws IOException {
    descriptor = directory.resolve("descriptor");
    stream = behind(descriptor.resolveSibling("nothing"));
    current = new PrintStream(printed, true, UTF_8);
  }

  private StandardStream behind(Path link) throws IOException {
    return new StandardStream(
        "System.out", link, () -> current, new FileOutputStream(descriptor.toFile()));
  }

  @ParameterizedTest
  @CsvSource({
    "34816, pipe:[12], true",
    "34816, /dev/pts/0, true",
    "34816, /var/log/app.out, false",
    "34816, socket:[12], false",
    "0, pipe:[12], false",
    "0, /dev/null, false"
  })
  void aPersonReadsATerminalOrAPipeOfAProgramThatATerminalControls(
      int terminal, String behind, boolean isInteractive) throws IOException {
    Path link = Files.createDirectory(directory.resolve("fd")).resolve("1");
    Files.createSymbolicLink(link, Path.of(behind));
    Files.writeString(
        directory.resolve("stat"), "7 (a (b) c) S 1 7 7 %d 7 4194304 0".formatted(terminal));
    assertThat(behind(link).isInteractive()).isEqualTo(isInteractive);
  }

  private void write(String text) throws IOException {
    byte[] bytes = (text + "behind").getBytes(UTF_8);
    stream.write(bytes, text.length(), LINE_END);
  }

  private String written() throws IOException {
    return Files.readString(descriptor);
  }

  /** One that takes nothing, or as many bytes as are left. */
  private static PrintStream failing() {
    OutputStream to =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    return new PrintStream(to, true, UTF_8);
  }

  /** A pipe that does not block, and is full for a moment, at the second write. */
  private static OutputStream refusingOne(OutputStream to) {
    return new FilterOutputStream(to) {
      private int writes;

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        writes++;
        if (writes == 2) {
          throw new IOException("Resource temporarily unavailable");
        }
        out.write(bytes, offset, length);
      }
    };
  }

  @Test
  void afterAnErrorTheDescriptorIsWrittenToUntilTheStreamIsReplaced() throws IOException {
    current = failing();
    assertThatThrownBy(() -> write("lost\n")).hasMessageContaining("System.out reports an error");
    write("again\n");
    current = new PrintStream(printed, true, UTF_8);
    write("replaced\n");

    assertThat(written()).isEqualTo("again\n");
    assertThat(printed.toString(UTF_8)).isEqualTo("replaced\n");
  }

  @Test
  void oneThatHasFailedBeforeOrIsNoneIsNotAsked() throws IOException {
    current = failing();
    current.println("of the application");
    write("first\n");
    current = null;
    write("second\n");

    assertThat(written()).isEqualTo("first\nsecond\n");
  }

  /** A print of the application that fails says nothing of the lines after it. */
  @Test
  void aLineIsNotRepeatedForAPrintThatFailed() throws IOException {
    PrintStream out = new PrintStream(refusingOne(printed), true, UTF_8);
    current = out;
    write("first\n");
    out.println("print");
    write("second\n");

    assertThat(printed.toString(UTF_8) + written()).isEqualTo("first\nsecond\n");
  }

  @Test
  void aLineThatMayBeTornIsRepeatedOnALineOfItsOwn() throws IOException {
    current = failing();
    assertThatThrownBy(() -> write(LONG)).isInstanceOf(IOException.class);
    write(LONG);
    assertThat(written()).isEqualTo("\n" + LONG);
  }

  @Test
  void aPipeTakesAShortWriteWholeOrNotAtAll() throws IOException {
    current = failing();
    assertThatThrownBy(() -> write("short\n")).isInstanceOf(IOException.class);
    write("short\n");
    assertThat(written()).isEqualTo("short\n");
  }

  @Test
  void aFileMayHaveTakenAPart() throws IOException {
    stream = behind(Files.createFile(directory.resolve("redirected")));
    current = failing();
    assertThatThrownBy(() -> write("short\n")).isInstanceOf(IOException.class);
    write("short\n");
    assertThat(written()).isEqualTo("\nshort\n");
  }

  @Test
  void noPrintOfTheApplicationIsTornNorTearsALine() throws Exception {
    List<Thread> printers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      PrintStream out = current;
      Thread printer = new Thread(() -> Collections.nCopies(2000, "print").forEach(out::println));
      printers.add(printer);
      printer.start();
    }
    for (int i = 0; i < 2000; i++) {
      write("logged\nlogged\n");
    }
    for (Thread printer : printers) {
      printer.join();
    }
    List<String> lines = printed.toString(UTF_8).lines().toList();
    assertThat(lines).hasSize(8000).containsOnly("print", "logged");
  }

  @Test
  void isNamedAsLogbackNamesIt() {
    assertThat(StandardStream.of("System.out")).isSameAs(StandardStream.OUT);
    assertThat(StandardStream.of("system.ERR")).isSameAs(StandardStream.ERR);
    assertThat(StandardStream.of("stdout")).isNull();
  }

  @Test
  void whatIsNoDeviceIsNoTerminal() throws IOException {
    assertThat(behind(Files.createSymbolicLink(directory.resolve("file"), descriptor)).isTerminal())
        .isFalse();
    for (String device : List.of("/dev/pts/3", "/dev/tty1", "/dev/console")) {
      Path link = directory.resolve(device.replace('/', '-'));
      Files.createSymbolicLink(link, Path.of(device));
      assertThat(behind(link).isTerminal()).as(device).isTrue();
    }
  }
}

package dev.forebay.it.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The wall clock of a child process, which can be set; its monotonic clock goes on as before. */
public final class WallClock {

  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

  private final Path library;
  private final Path offset;

  private WallClock(Path library, Path offset) {
    this.library = library;
    this.offset = offset;
  }

  /** One that is right until it is set; skips the test where the library for it is missing. */
  public static WallClock create(Places places) throws IOException {
    Path library = LIBRARIES.stream().filter(Files::exists).findFirst().orElse(null);
    assumeTrue(library != null, "no libfaketime: install faketime");
    WallClock clock = new WallClock(library, places.root().resolve("clock"));
    clock.set("+0");
    return clock;
  }

  /** A command around that of the child. */
  public String[] around() {
    return new String[] {
      "env",
      "LD_PRELOAD=" + library,
      "FAKETIME_TIMESTAMP_FILE=" + offset,
      "FAKETIME_NO_CACHE=1",
      "FAKETIME_DONT_FAKE_MONOTONIC=1",
      "NO_FAKE_STAT=1"
    };
  }

  /** Sets it to an offset from the right time, {@code -2h} or {@code +1d} for example. */
  public void set(String to) throws IOException {
    Path next = Files.writeString(offset.resolveSibling("clock.next"), to + "\n");
    Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE); // never seen half written
  }
}

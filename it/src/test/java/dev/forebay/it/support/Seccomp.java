package dev.forebay.it.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a command under a profile that refuses system calls with EPERM, as containers have one. */
public final class Seccomp {

  /** Of x86-64. */
  private static final Map<String, Integer> CALLS =
      Map.ofEntries(
          Map.entry("mincore", 27),
          Map.entry("madvise", 28),
          Map.entry("socket", 41),
          Map.entry("fsync", 74),
          Map.entry("fdatasync", 75),
          Map.entry("link", 86),
          Map.entry("statfs", 137),
          Map.entry("fstatfs", 138),
          Map.entry("linkat", 265),
          Map.entry("fallocate", 285));

  /** With this in the list, F_SETLK, which is a kind of fcntl (72), is refused too. */
  public static final String LOCKS = "locks";

  /**
   * A program for the kernel: load the number of the call, compare, refuse or go on. Its arguments
   * end with "--".
   */
  private static final String PERL =
      """
      sub op { pack 'SCCL', @_ }
      my ($locks, @calls) = (shift);
      push @calls, shift while $ARGV[0] ne '--';
      shift;
      my $refuse = op(0x06, 0, 0, 0x50001);
      my $filter = op(0x20, 0, 0, 0);
      $filter .= op(0x15, 0, 1, $_) . $refuse for @calls;
      $filter .= op(0x15, 0, 3, 72) . op(0x20, 0, 0, 24) . op(0x15, 0, 1, 6) . $refuse if $locks;
      $filter .= op(0x06, 0, 0, 0x7fff0000);
      my $program = pack 'Sx6Q', length($filter) / 8, unpack('Q', pack('P', $filter));
      syscall(157, 38, 1, 0, 0, 0) == 0 && syscall(317, 1, 0, $program) == 0 or die "seccomp: $!";
      exec @ARGV;
      """;

  private Seccomp() {}

  /** Skips the test where this cannot be had. */
  public static void assumePossible() throws IOException {
    assumeTrue("amd64".equals(System.getProperty("os.arch")), "no x86-64: its calls have numbers");
    assumeTrue(Command.exists("perl"), "no perl: install perl");
    String[] probe =
        Stream.of(List.of(refusing("mincore")), List.of("true"))
            .flatMap(List::stream)
            .toArray(String[]::new);
    assumeTrue(Command.exitCode(probe) == 0, "no seccomp filters: allow seccomp");
  }

  /** What to put before a command. */
  public static String[] refusing(String... calls) {
    List<String> numbers =
        Stream.of(calls)
            .filter(call -> !call.equals(LOCKS))
            .map(call -> String.valueOf(CALLS.get(call)))
            .collect(Collectors.toList());
    numbers.addAll(0, List.of("perl", "-e", PERL, List.of(calls).contains(LOCKS) ? "1" : "0"));
    numbers.add("--");
    return numbers.toArray(new String[0]);
  }
}

package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmRulesTest {

  private static final String MOUNTS =
      """
      /dev/sda / ext4 rw 0 0
      tmpfs /dev/shm tmpfs rw,nosuid,size=1048576k 0 0
      tmpfs /run tmpfs rw,noswap 0 0
      """;
  private static final JvmFacts SOUND =
      new JvmFacts(
          List.of("-Xmx1g", "-Xlog:gc:stdout", "-Xlog:gc*:file=/dev/shm/gc.log:time"),
          Path.of("/srv/app"),
          "/dev/shm/hsperfdata_app/1",
          MountPoints.parse(MOUNTS),
          1L << 30,
          false,
          false);

  private static List<String> ids(JvmFacts facts) {
    return JvmRules.check(facts).stream().map(Advice::id).toList();
  }

  private static JvmFacts with(List<String> options) {
    return new JvmFacts(
        options, SOUND.directory(), SOUND.perfData(), SOUND.mounts(), 1L << 30, false, false);
  }

  @Test
  void aSoundJvmGetsNoAdvice() {
    assertThat(JvmRules.check(SOUND)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-Xloggc:/var/log/gc.log, -Xloggc:/dev/shm/app/gc.log",
    "-Xloggc:gc.log, -Xloggc:/dev/shm/app/gc.log",
    "-Xlog:gc*:file=/var/log/gc-%p.log:time:filecount=5,"
        + " -Xlog:gc*:file=/dev/shm/app/gc-%p.log:time:filecount=5",
    "-Xlog:safepoint:logs/safepoint.log, -Xlog:safepoint:/dev/shm/app/safepoint.log"
  })
  void aLogOfTheJvmOnADiskIsMoved(String option, String instead) {
    assertThat(JvmRules.check(with(List.of(option))))
        .singleElement()
        .satisfies(advice -> assertThat(advice.id()).isEqualTo("gc-log-on-disk"))
        .satisfies(advice -> assertThat(advice.where()).isEqualTo(option))
        .satisfies(advice -> assertThat(advice.instead()).isEqualTo(instead));
  }

  @Test
  void logsThatAreNoFilesAreFine() {
    assertThat(ids(with(List.of("-Xlog:gc", "-Xlog:gc*:stderr:time", "-Xlog:async")))).isEmpty();
  }

  @Test
  void performanceDataOnADiskIsNamed() {
    JvmFacts facts =
        new JvmFacts(
            List.of(), SOUND.directory(), "/tmp/hsperfdata_app/1", SOUND.mounts(), -1, true, false);
    // The machine swaps, too.
    assertThat(ids(facts)).containsExactly("hsperfdata-on-disk", "swapped-dev-shm");
  }

  @Test
  void memoryForSpoolsMustBeThereAndLargeEnough() {
    MountPoints none = MountPoints.parse("/dev/sda / ext4 rw 0 0\n");
    assertThat(ids(new JvmFacts(List.of(), Path.of("/"), "", none, 1L << 40, false, false)))
        .containsExactly("no-dev-shm");
    MountPoints mounts = SOUND.mounts();
    assertThat(ids(new JvmFacts(List.of(), Path.of("/"), "", mounts, 64L << 20, false, true)))
        .containsExactly("small-dev-shm", "remove-ipc");
    assertThat(ids(new JvmFacts(List.of(), Path.of("/"), "", mounts, 256L << 20, false, false)))
        .isEmpty();
  }

  @Test
  void memoryThatIsNeverSwappedIsFine() {
    MountPoints mounts = MountPoints.parse("tmpfs /dev/shm tmpfs rw,noswap 0 0\n");
    assertThat(ids(new JvmFacts(List.of(), Path.of("/"), "", mounts, 1L << 30, true, false)))
        .isEmpty();
  }
}

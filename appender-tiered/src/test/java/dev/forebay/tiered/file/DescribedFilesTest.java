package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.SizeAndTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of log files to another process, and what it refuses. */
class DescribedFilesTest extends LogRig {

  private static final Locale LOCALE = Locale.getDefault();

  private final List<String> faults = new ArrayList<>();

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(LOCALE);
  }

  private @Nullable Map<String, String> describe(
      @Nullable String file, @Nullable RollingPolicy rolling, @Nullable TriggeringPolicy<?> by) {
    return DescribedFiles.of(
        settings(disk, file, true, rolling, by, HEADER, FOOTER, true), faults::add);
  }

  private Map<String, String> described(RollingPolicy rolling, TriggeringPolicy<?> triggering) {
    Map<String, String> all = describe(file(), rolling, triggering);
    assertThat(faults).isEmpty();
    return new HashMap<>(Objects.requireNonNull(all));
  }

  private <P extends RollingPolicy & TriggeringPolicy<?>> Map<String, String> described(P policy) {
    return described(policy, policy);
  }

  private LogSettings rebuilt(Map<String, String> described) throws IOException {
    return DescribedFiles.settings(
        new Described(described), disk, warnings::add, new ShippingListener() {});
  }

  private <P extends TimeBasedRollingPolicy<byte[]>> P timed(P policy, String pattern) {
    policy.setContext(context);
    policy.setParent(parent(file()));
    policy.setFileNamePattern(dir + "/" + pattern);
    return policy;
  }

  private SizeAndTimeBasedRollingPolicy<byte[]> sizeAndTime() {
    SizeAndTimeBasedRollingPolicy<byte[]> policy =
        timed(new SizeAndTimeBasedRollingPolicy<>(), "a.%d.%i.log.gz");
    policy.setMaxFileSize(FileSize.valueOf("10MB"));
    policy.setMaxHistory(30);
    policy.setTotalSizeCap(FileSize.valueOf("1GB"));
    policy.setCleanHistoryOnStart(true);
    policy.start();
    return policy;
  }

  @Test
  void aFileThatIsNeverRolledIsDescribed() throws IOException {
    permissions = PosixFilePermissions.fromString("rw-r-----");
    Map<String, String> all =
        DescribedFiles.of(
            settings(disk, "logs/app.log", false, null, null, HEADER, FOOTER, true), faults::add);
    assertThat(all)
        .containsExactly(
            Map.entry("file", Path.of("logs/app.log").toAbsolutePath().toString()),
            Map.entry("append", "false"),
            Map.entry("permissions", "rw-r-----"),
            Map.entry("header", "2320686561640a"),
            Map.entry("footer", "2320666f6f740a"),
            Map.entry("lineEnd", "0a"));

    LogSettings there = rebuilt(all);
    assertThat(there.file()).isEqualTo(all.get("file"));
    assertThat(there.append()).isFalse();
    assertThat(there.permissions()).isEqualTo(permissions);
    assertThat(there.header()).isEqualTo(utf8(HEADER));
    assertThat(there.footer()).isEqualTo(utf8(FOOTER));
    assertThat(there.lineEnd()).isEqualTo(utf8("\n"));
    assertThat(there.rollingPolicy()).isNull();
    assertThat(there.triggeringPolicy()).isNull();
  }

  @Test
  void eachPropertyOfAPolicyBySizeAndTimeIsDescribed() throws IOException {
    Map<String, String> all = described(sizeAndTime());
    assertThat(all)
        .containsEntry("policy", "SizeAndTimeBasedRollingPolicy")
        .containsEntry(
            "pattern", dir + "/a.%d{yyyy-MM-dd, " + ZoneId.systemDefault() + "}.%i.log.gz")
        .containsEntry("compression", "GZ")
        .containsEntry("zone", ZoneId.systemDefault().getId())
        .containsEntry("maxFileSize", "10485760")
        .containsEntry("maxHistory", "30")
        .containsEntry("totalSizeCap", "1073741824")
        .containsEntry("cleanHistoryOnStart", "true")
        .doesNotContainKeys("locale", "triggeringPolicy");

    LogSettings there = rebuilt(all);
    assertThat(there.rollingPolicy())
        .isSameAs(there.triggeringPolicy())
        .isExactlyInstanceOf(SizeAndTimeBasedRollingPolicy.class);
    SizeAndTimeBasedRollingPolicy<?> policy =
        (SizeAndTimeBasedRollingPolicy<?>) there.rollingPolicy();
    assertThat(policy.isStarted()).isFalse();
    assertThat(policy.getContext()).isNotSameAs(context);
    assertThat(policy.getParentsRawFileProperty()).isEqualTo(file());
    policy.start();
    assertThat(described(policy)).isEqualTo(all);
  }

  @Test
  void aPolicyWithANamingOfItsOwnIsDescribed() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = timed(new TimeBasedRollingPolicy<>(), BY_SIZE);
    SizeAndTimeBasedFileNamingAndTriggeringPolicy<byte[]> naming =
        new SizeAndTimeBasedFileNamingAndTriggeringPolicy<>();
    naming.setMaxFileSize(FileSize.valueOf("5KB"));
    policy.setTimeBasedFileNamingAndTriggeringPolicy(naming);
    policy.start();
    Map<String, String> all = described(policy);
    assertThat(all)
        .containsEntry("policy", "TimeBasedRollingPolicy")
        .containsEntry("naming", "SizeAndTimeBasedFileNamingAndTriggeringPolicy")
        .containsEntry("maxFileSize", "5120")
        .doesNotContainKeys("maxHistory", "totalSizeCap", "cleanHistoryOnStart");

    RollingPolicy there = rebuilt(all).rollingPolicy();
    assertThat(there).isExactlyInstanceOf(TimeBasedRollingPolicy.class);
    ((TimeBasedRollingPolicy<?>) there).start();
    assertThat(described((TimeBasedRollingPolicy<?>) there)).isEqualTo(all);
  }

  /** Only some versions of Logback have it. */
  @Test
  void theOldNameOfThatNamingIsDescribedAsTheNewOne() throws IOException {
    SizeAndTimeBasedFileNamingAndTriggeringPolicy<byte[]> naming = oldNaming();
    if (naming == null) {
      return;
    }
    naming.setMaxFileSize(FileSize.valueOf("5KB"));
    TimeBasedRollingPolicy<byte[]> policy = timed(new TimeBasedRollingPolicy<>(), BY_SIZE);
    policy.setTimeBasedFileNamingAndTriggeringPolicy(naming);
    policy.start();
    assertThat(described(policy))
        .containsEntry("naming", "SizeAndTimeBasedFileNamingAndTriggeringPolicy")
        .containsEntry("maxFileSize", "5120");
  }

  @SuppressWarnings("unchecked")
  private static @Nullable SizeAndTimeBasedFileNamingAndTriggeringPolicy<byte[]> oldNaming() {
    try {
      return Class.forName("ch.qos.logback.core.rolling.SizeAndTimeBasedFNATP")
          .asSubclass(SizeAndTimeBasedFileNamingAndTriggeringPolicy.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  @Test
  void aWindowIsDescribedWithItsTrigger() throws IOException {
    SizeBasedTriggeringPolicy<byte[]> bySize = bySize("3KB");
    bySize.setCheckIncrement(Duration.buildBySeconds(2));
    Map<String, String> all = described(fixedWindow(parent(file()), dir + "/a.%i.log.zip"), bySize);
    assertThat(all)
        .containsEntry("policy", "FixedWindowRollingPolicy")
        .containsEntry("pattern", dir + "/a.%i.log.zip")
        .containsEntry("compression", "ZIP")
        .containsEntry("minIndex", "1")
        .containsEntry("maxIndex", "3")
        .containsEntry("triggeringPolicy", "SizeBasedTriggeringPolicy")
        .containsEntry("triggeringFileSize", "3072")
        .containsEntry("checkIncrementMs", "2000");

    LogSettings there = rebuilt(all);
    SizeBasedTriggeringPolicy<?> trigger = (SizeBasedTriggeringPolicy<?>) there.triggeringPolicy();
    there.rollingPolicy().start();
    trigger.start();
    assertThat(described(there.rollingPolicy(), trigger)).isEqualTo(all);
    assertThat(((FixedWindowRollingPolicy) there.rollingPolicy()).getMaxIndex()).isEqualTo(3);
  }

  static final class UsersPolicy extends TimeBasedRollingPolicy<byte[]> {}

  static final class UsersNaming extends SizeAndTimeBasedFileNamingAndTriggeringPolicy<byte[]> {}

  static final class UsersTrigger extends SizeBasedTriggeringPolicy<byte[]> {}

  @Test
  void whatExtendsAPolicyCannotBeDescribed() {
    TimeBasedRollingPolicy<byte[]> policy = timed(new UsersPolicy(), "a.%d.log");
    policy.start();
    assertThat(describe(file(), policy, policy)).isNull();
    assertThat(faults.remove(0))
        .isEqualTo(
            "<rollingPolicy> of "
                + UsersPolicy.class.getName()
                + " cannot be described to another process: write <shipping>inside</shipping>");

    TimeBasedRollingPolicy<byte[]> named = timed(new TimeBasedRollingPolicy<>(), BY_SIZE);
    UsersNaming naming = new UsersNaming();
    naming.setMaxFileSize(FileSize.valueOf("5KB"));
    named.setTimeBasedFileNamingAndTriggeringPolicy(naming);
    named.start();
    assertThat(describe(file(), named, named)).isNull();
    assertThat(faults.remove(0))
        .startsWith(
            "<timeBasedFileNamingAndTriggeringPolicy> of "
                + UsersNaming.class.getName()
                + " cannot");

    UsersTrigger trigger = new UsersTrigger();
    trigger.start();
    assertThat(describe(file(), fixedWindow(parent(file()), dir + "/%i"), trigger)).isNull();
    assertThat(faults.remove(0))
        .startsWith("<triggeringPolicy> of " + UsersTrigger.class.getName() + " cannot");

    TimeBasedRollingPolicy<byte[]> idle = timed(new TimeBasedRollingPolicy<>(), "a.%d.log");
    assertThat(describe(file(), idle, idle)).isNull();
    assertThat(faults.remove(0)).contains("is not started");
    assertThat(faults).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "policy | com.example.Policy | has a policy that this process does not know: update it",
        "pattern | app.%d.log | a path that is not absolute: app.%d.log",
        "pattern | /a.%d{yyyy-MM-dd, Moon/Base}.%i.log.gz | does not know the time zone in /a.%d{yyyy-MM-dd, Moon/Base}",
        "zone | Moon/Base | does not know the time zone in",
        "pattern | /a.%d{never, UTC}.%i.log.gz | has a pattern that this process does not know",
        "compression | XZ2 | is packed as XZ2 there and would be as GZ here: start this process with the same version of Logback",
        "maxFileSize | large | has a maxFileSize that this process does not know",
        "maxHistory | 3000000000 | has a maxHistory that",
        "append | yes | has a append that",
        "permissions | secret | has a permissions that",
        "header | xyz | has a header that",
        "file | app.log | a path that is not absolute: app.log",
        "maxFileSize | - | the description of the log has no maxFileSize",
        "append | - | the description of the log has no append",
      })
  void whatThisProcessCannotWriteIsRefused(String key, String value, String fault) {
    Map<String, String> all = described(sizeAndTime());
    if (value.equals("-")) {
      all.remove(key);
    } else {
      all.put(key, value);
    }
    assertThatThrownBy(() -> rebuilt(all))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(fault);
  }

  @Test
  void aNameInAnotherLanguageIsRefused() throws IOException {
    Locale.setDefault(Locale.GERMANY);
    TimeBasedRollingPolicy<byte[]> policy =
        timed(new TimeBasedRollingPolicy<>(), "%d{yyyy-MMM,aux}/a.%d.log");
    policy.start();
    Map<String, String> all = described(policy);
    assertThat(all).containsEntry("locale", "de-DE");
    assertThat(rebuilt(all).rollingPolicy()).isNotNull();

    Locale.setDefault(Locale.US);
    assertThatThrownBy(() -> rebuilt(all))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("names months, days or weeks as locale de-DE does")
        .hasMessageContaining("this process has en-US: start it with -Duser.language");
  }

  @Test
  void whatLogbackCannotDoThereIsReported() throws IOException {
    Map<String, String> all = described(sizeAndTime());
    all.put("pattern", "/a.%d{yyyy-MM-dd, UTC}.log.gz"); // has no %i
    RollingPolicy policy = rebuilt(all).rollingPolicy();
    policy.start();
    assertThat(warnings)
        .anyMatch(text -> text.startsWith("Logback reports: ") && text.contains("%i"));
  }

  @Test
  void theParentIsOnlyAskedForItsFile() throws IOException {
    FileAppender<byte[]> parent = parent(file());
    assertThat(parent.isStarted()).isFalse();
    assertThat(described(sizeAndTime())).isNotEmpty();
    assertThat(names()).isEmpty();
  }
}

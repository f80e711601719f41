package dev.forebay;

import ch.qos.logback.core.Context;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Version;
import org.jspecify.annotations.Nullable;

/** Warns of a Logback that is older than those that each build is tested with. */
final class LogbackVersion {

  private static final String OLDEST = "1.5.32";

  private LogbackVersion() {}

  /** As its jar says; null if that was packed anew without. */
  static @Nullable String inUse() {
    ModuleDescriptor module = Context.class.getModule().getDescriptor();
    return module == null
        ? Context.class.getPackage().getImplementationVersion()
        : module.rawVersion().orElse(null);
  }

  static void look(@Nullable String version, ConfigFindings findings) {
    try {
      if (version != null && Version.parse(version).compareTo(Version.parse(OLDEST)) < 0) {
        findings.warn("Logback is %s, older than %s and untested".formatted(version, OLDEST));
      }
    } catch (IllegalArgumentException e) {
      // No version: nothing is known.
    }
  }
}

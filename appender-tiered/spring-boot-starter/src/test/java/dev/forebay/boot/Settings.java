package dev.forebay.boot;

import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.TieredAppender;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;

/** What an appender makes of its options, seen from outside its package: ring, then the rest. */
final class Settings {

  private Settings() {}

  static List<Object> of(TieredAppender appender) throws ReflectiveOperationException {
    Object options = appender.tieredOptions();
    Method validate =
        options
            .getClass()
            .getDeclaredMethod(
                "validate", Path.class, Encoder.class, List.class, ConfigFindings.class);
    validate.setAccessible(true);
    ConfigFindings findings = new ConfigFindings();
    return List.of(
        appender.pipelineOptions().validate("A", findings),
        validate.invoke(options, Path.of("app.log"), appender.getEncoder(), List.of(), findings));
  }

  static List<Object> options(TieredAppender appender) {
    return List.of(appender.pipelineOptions(), appender.tieredOptions());
  }
}

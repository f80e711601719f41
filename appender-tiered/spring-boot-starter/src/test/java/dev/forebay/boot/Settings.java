package dev.forebay.boot;

import dev.forebay.ConfigFindings;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.tiered.TieredAppender;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;

/** What an appender makes of its options, seen from outside its package. */
final class Settings {

  private Settings() {}

  static PipelineSettings ofRing(TieredAppender appender) {
    return appender.pipelineOptions().validate("A", new ConfigFindings());
  }

  /** Those of spool, log and flight recorder. */
  static Object of(TieredAppender appender) throws ReflectiveOperationException {
    Object options = options(appender);
    Method validate =
        options.getClass().getDeclaredMethod("validate", Path.class, ConfigFindings.class);
    validate.setAccessible(true);
    return validate.invoke(options, Path.of("app.log"), new ConfigFindings());
  }

  static Object options(TieredAppender appender) throws ReflectiveOperationException {
    Field options = TieredAppender.class.getDeclaredField("tieredOptions");
    options.setAccessible(true);
    return options.get(appender);
  }
}

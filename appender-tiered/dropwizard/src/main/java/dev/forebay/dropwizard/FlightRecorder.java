package dev.forebay.dropwizard;

import ch.qos.logback.core.util.FileSize;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.forebay.tiered.FlightRecorderOptions;
import io.dropwizard.util.DataSize;

/**
 * {@code flightRecorder} in YAML: see {@link FlightRecorderOptions} for what each one means.
 *
 * @hidden
 */
public final class FlightRecorder {

  final FlightRecorderOptions options = new FlightRecorderOptions();

  public FlightRecorder() {}

  @JsonSetter(nulls = Nulls.SKIP)
  public void setLevel(String level) {
    options.setLevel(level);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setSize(DataSize size) {
    options.setSize(new FileSize(size.toBytes()));
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setKeep(String time) {
    options.setKeep(time);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setDumpOn(String trigger) {
    options.setDumpOn(trigger);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setAfter(String time) {
    options.setAfter(time);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setMinInterval(String time) {
    options.setMinInterval(time);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setMaxDumps(int count) {
    options.setMaxDumps(count);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setKey(String mdcKey) {
    options.setKey(mdcKey);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setDumpAtCrash(boolean dumps) {
    options.setDumpAtCrash(dumps);
  }
}

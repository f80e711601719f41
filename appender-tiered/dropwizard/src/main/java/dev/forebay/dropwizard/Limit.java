package dev.forebay.dropwizard;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.forebay.LimitOptions;

/**
 * {@code limit} in YAML: see {@link LimitOptions} for what each one means.
 *
 * @hidden
 */
public final class Limit {

  final LimitOptions options = new LimitOptions();

  public Limit() {}

  @JsonSetter(nulls = Nulls.SKIP)
  public void setLogger(String name) {
    options.setLogger(name);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setPerSecond(int events) {
    options.setPerSecond(events);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setBurst(int events) {
    options.setBurst(events);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setDuplicates(int events) {
    options.setDuplicates(events);
  }

  @JsonSetter(nulls = Nulls.SKIP)
  public void setExempt(String level) {
    options.setExempt(level);
  }
}

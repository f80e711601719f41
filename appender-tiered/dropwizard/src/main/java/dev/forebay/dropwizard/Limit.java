package dev.forebay.dropwizard;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.forebay.LimitOptions;
import org.jspecify.annotations.Nullable;

/**
 * {@code limit} in YAML: see {@link LimitOptions} for what each one means.
 *
 * @hidden
 */
public final class Limit {

  @JsonProperty @Nullable String logger;
  @JsonProperty @Nullable Integer perSecond;
  @JsonProperty @Nullable Integer burst;
  @JsonProperty @Nullable Integer duplicates;
  @JsonProperty @Nullable String exempt;

  public Limit() {}
}

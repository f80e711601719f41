package dev.forebay.dropwizard;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.forebay.tiered.FlightRecorderOptions;
import io.dropwizard.util.DataSize;
import org.jspecify.annotations.Nullable;

/**
 * {@code flightRecorder} in YAML: see {@link FlightRecorderOptions} for what each one means.
 *
 * @hidden
 */
public final class FlightRecorder {

  @JsonProperty @Nullable String level;
  @JsonProperty @Nullable DataSize size;
  @JsonProperty @Nullable String keep;
  @JsonProperty @Nullable String dumpOn;
  @JsonProperty @Nullable String after;
  @JsonProperty @Nullable String minInterval;
  @JsonProperty @Nullable Integer maxDumps;
  @JsonProperty @Nullable String key;
  @JsonProperty @Nullable Boolean dumpAtCrash;

  public FlightRecorder() {}
}

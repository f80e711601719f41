package dev.forebay.dropwizard;

import static dev.forebay.dropwizard.ForebayAppenderFactory.ifGiven;

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

  @JsonProperty private @Nullable String level;
  @JsonProperty private @Nullable DataSize size;
  @JsonProperty private @Nullable String keep;
  @JsonProperty private @Nullable String dumpOn;
  @JsonProperty private @Nullable String after;
  @JsonProperty private @Nullable String minInterval;
  @JsonProperty private @Nullable Integer maxDumps;
  @JsonProperty private @Nullable String key;
  @JsonProperty private @Nullable Boolean dumpAtCrash;

  public FlightRecorder() {}

  FlightRecorderOptions options() {
    FlightRecorderOptions options = new FlightRecorderOptions();
    ifGiven(level, options::setLevel);
    ifGiven(ForebayAppenderFactory.bytes(size), options::setSize);
    ifGiven(keep, options::setKeep);
    ifGiven(dumpOn, options::setDumpOn);
    ifGiven(after, options::setAfter);
    ifGiven(minInterval, options::setMinInterval);
    ifGiven(maxDumps, options::setMaxDumps);
    ifGiven(key, options::setKey);
    ifGiven(dumpAtCrash, options::setDumpAtCrash);
    return options;
  }
}

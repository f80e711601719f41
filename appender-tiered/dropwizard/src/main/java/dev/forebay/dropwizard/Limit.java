package dev.forebay.dropwizard;

import static dev.forebay.dropwizard.ForebayAppenderFactory.ifGiven;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.forebay.LimitOptions;
import org.jspecify.annotations.Nullable;

/**
 * {@code limit} in YAML: see {@link LimitOptions} for what each one means.
 *
 * @hidden
 */
public final class Limit {

  @JsonProperty private @Nullable String logger;
  @JsonProperty private @Nullable Integer perSecond;
  @JsonProperty private @Nullable Integer burst;
  @JsonProperty private @Nullable Integer duplicates;
  @JsonProperty private @Nullable String exempt;

  public Limit() {}

  LimitOptions options() {
    LimitOptions options = new LimitOptions();
    ifGiven(logger, options::setLogger);
    ifGiven(perSecond, options::setPerSecond);
    ifGiven(burst, options::setBurst);
    ifGiven(duplicates, options::setDuplicates);
    ifGiven(exempt, options::setExempt);
    return options;
  }
}

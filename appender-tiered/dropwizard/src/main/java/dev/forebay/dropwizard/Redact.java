package dev.forebay.dropwizard;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.forebay.RedactOptions;
import java.util.List;

/**
 * {@code redact} in YAML: see {@link RedactOptions} for what each one means. One value or a list.
 *
 * @hidden
 */
public final class Redact {

  @JsonProperty
  @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
  @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.SKIP)
  private List<String> key = List.of();

  @JsonProperty
  @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
  @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.SKIP)
  private List<String> pattern = List.of();

  @JsonProperty
  @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
  @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.SKIP)
  private List<String> regex = List.of();

  public Redact() {}

  RedactOptions options() {
    RedactOptions options = new RedactOptions();
    key.forEach(options::addKey);
    pattern.forEach(options::addPattern);
    regex.forEach(options::addRegex);
    return options;
  }
}

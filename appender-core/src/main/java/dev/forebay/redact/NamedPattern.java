package dev.forebay.redact;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The patterns that {@code <pattern>} names. */
public enum NamedPattern {
  /** The token after {@code Bearer}. */
  BEARER,

  /** The credentials after {@code Basic}. */
  BASIC,

  /** A JSON web token. */
  JWT,

  /** Keys that AWS, Azure, GitHub, GitLab, Google, OpenAI, Slack and Stripe mark as theirs. */
  CLOUD_KEY,

  /** An address of e-mail. */
  EMAIL,

  /** A bank account, with valid check digits and the length of its country. */
  IBAN,

  /** A payment card of 13 to 19 digits, with a valid check digit. */
  CARD,

  /** An address of IPv4. */
  IPV4,

  /** An address of IPv6. */
  IPV6;

  /** As it is configured and counted. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The pattern of that name; null if there is none. */
  public static @Nullable NamedPattern of(String text) {
    for (NamedPattern each : values()) {
      if (each.text().equalsIgnoreCase(text)) {
        return each;
      }
    }
    return null;
  }
}

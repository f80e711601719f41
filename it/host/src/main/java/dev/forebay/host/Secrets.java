package dev.forebay.host;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Secrets made at random, each with the part of it that must not survive. */
public final class Secrets {

  private static final String WORD =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private final Random random;

  public Secrets(Random random) {
    this.random = random;
  }

  /** One of each named pattern: its text in a message, and the part that must be gone. */
  public Map<String, String[]> all() {
    Map<String, String[]> made = new LinkedHashMap<>();
    String bearer = text(20 + random.nextInt(20)) + "/+x1==";
    made.put("bearer", new String[] {oneOf("Bearer ", "bearer ") + bearer, bearer});
    String basic = base64(text(6) + ":" + text(9));
    made.put("basic", new String[] {oneOf("Basic ", "BASIC ") + basic, basic});
    String jwt =
        url("{\"alg\":\"" + text(5)) + "." + url("{\"sub\":\"" + text(12)) + "." + text(20);
    made.put("jwt", new String[] {jwt, jwt});
    String key = cloudKey();
    made.put("cloud-key", new String[] {key, key.replace("AccountKey=", "")});
    String email = text(4) + "." + text(5) + "@" + text(6) + ".example.org";
    made.put("email", new String[] {email, email});
    String iban = iban();
    made.put("iban", new String[] {iban, iban});
    String card = card();
    made.put("card", new String[] {card, card});
    String ipv4 = octet() + "." + octet() + "." + octet() + "." + octet();
    made.put("ipv4", new String[] {ipv4, ipv4});
    String ipv6 = ipv6();
    made.put("ipv6", new String[] {ipv6, ipv6});
    return made;
  }

  private String oneOf(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  /** Letters and digits. */
  public String text(int length) {
    StringBuilder made = new StringBuilder();
    while (made.length() < length) {
      made.append(WORD.charAt(random.nextInt(WORD.length())));
    }
    return made.toString();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String url(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  private int octet() {
    return random.nextInt(256);
  }

  private String cloudKey() {
    return oneOf(
        "AKIA" + text(16).toUpperCase(Locale.ROOT),
        "ASIA" + text(16).toUpperCase(Locale.ROOT),
        "AIza" + text(35),
        "ghp_" + text(36),
        "gho_" + text(36),
        "github_pat_" + text(22) + "_" + text(59),
        "glpat-" + text(20),
        "xoxb-" + digits(12) + "-" + text(24),
        "sk_live_" + text(24),
        "sk-proj-" + text(40),
        "AccountKey=" + text(86) + "==");
  }

  private String digits(int count) {
    StringBuilder made = new StringBuilder();
    while (made.length() < count) {
      made.append((char) ('0' + random.nextInt(10)));
    }
    return made.toString();
  }

  private String card() {
    String start = oneOf("4", "34", "37", "51", "2221", "36", "6011", "62");
    String number = start + digits((start.startsWith("3") ? 15 : 16) - 1 - start.length());
    int sum = 0;
    for (int i = 0; i < number.length(); i++) {
      int digit = number.charAt(number.length() - 1 - i) - '0';
      sum += i % 2 == 1 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
    }
    return grouped(number + (10 - sum % 10) % 10);
  }

  private String iban() {
    String country = oneOf("DE22", "GB22", "NO15", "FR27", "MT31");
    int length = Integer.parseInt(country.substring(2));
    String account = country.startsWith("GB") ? "WEST" + digits(14) : digits(length - 4);
    StringBuilder numbers = new StringBuilder();
    (account + country.substring(0, 2) + "00")
        .chars()
        .forEach(c -> numbers.append(Character.digit(c, 36)));
    int check = 98 - new BigInteger(numbers.toString()).mod(BigInteger.valueOf(97)).intValue();
    String made = country.substring(0, 2) + (check < 10 ? "0" : "") + check + account;
    return grouped(made);
  }

  private String grouped(String text) {
    String separator = oneOf("", " ", "-");
    return String.join(separator, text.split("(?<=\\G.{4})"));
  }

  private String ipv6() {
    StringBuilder made = new StringBuilder();
    int gap = random.nextInt(8);
    boolean isShort = random.nextBoolean();
    for (int i = 0; i < 8; i++) {
      if (isShort && i == gap) {
        made.append(i == 0 ? "::" : ":");
        i++;
      } else {
        made.append(Integer.toHexString(1 + random.nextInt(0xFFFF))).append(i < 7 ? ":" : "");
      }
    }
    return made.toString();
  }
}

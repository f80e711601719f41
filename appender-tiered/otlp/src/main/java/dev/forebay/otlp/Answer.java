package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver says of a request.
 *
 * @param rejected how many records of an accepted request it has not taken
 * @param message its words, without secrets; may be empty
 * @param retryAfterMs how long it asks to wait; -1 if it does not
 */
record Answer(int status, Fate fate, long rejected, String message, long retryAfterMs) {

  /** What becomes of the records. */
  enum Fate {
    /** They are there, but for those that are rejected. */
    TAKEN,
    /** One of them, or their number, is the cause. */
    REFUSED,
    /** They are sent again later. */
    LATER,
    /** The set-up is the cause. */
    NOT_HERE
  }

  /** Longer texts are pages. */
  private static final int MOST_CHARS = 200;

  private static final int PARTIAL_SUCCESS = 1;
  private static final int REJECTED = 1;
  private static final int MESSAGE = 2;

  /** Without its words. */
  static Fate fateOf(int status) {
    return switch (status) {
      case 400, 413, 422, 500 -> Fate.REFUSED; // 500: a collector's exporter refuses it for good
      case 408, 425, 429, 502, 503, 504 -> Fate.LATER;
      default -> status / 100 == 2 ? Fate.TAKEN : Fate.NOT_HERE;
    };
  }

  static Answer of(
      int status,
      @Nullable String contentType,
      byte[] body,
      long retryAfterMs,
      OtlpSettings settings) {
    String type = contentType == null ? "" : contentType;
    Fate fate = fateOf(status);
    if (fate == Fate.TAKEN && type.startsWith("text/html")) { // no receiver's
      return new Answer(status, Fate.NOT_HERE, 0, "a page", -1);
    }
    if (!type.contains("protobuf")) {
      boolean isText = fate != Fate.TAKEN && !type.startsWith("text/html");
      String words = isText ? new String(body, UTF_8) : "";
      return new Answer(status, fate, 0, shown(words, settings), retryAfterMs);
    }
    ProtoReader all = new ProtoReader(body);
    ProtoReader partial = all;
    if (fate == Fate.TAKEN) {
      ByteBuffer inside = all.bytes(PARTIAL_SUCCESS);
      partial = new ProtoReader(inside == null ? new byte[0] : ProtoReader.copy(inside));
    }
    ByteBuffer words = partial.bytes(MESSAGE); // of a Status, too
    String text = words == null ? "" : UTF_8.decode(words).toString();
    long rejected = fate == Fate.TAKEN ? Math.max(0, partial.varint(REJECTED)) : 0;
    return new Answer(status, fate, rejected, shown(text, settings), retryAfterMs);
  }

  /** Without secrets and as short as a message may be. */
  static String shown(String text, OtlpSettings settings) {
    String one = settings.hiding(text).replaceAll("[\\p{Cntrl}\\s]+", " ").trim();
    return one.length() <= MOST_CHARS ? one : one.substring(0, MOST_CHARS) + "...";
  }

  /** The status and the words. */
  String text() {
    return "HTTP " + status + (message.isEmpty() ? "" : ": " + message);
  }

  /** The same for one that takes no record, with what to do. */
  String advice() {
    String todo =
        switch (status) {
          case 301, 302, 303, 307, 308 -> "redirects are refused, write that place as <endpoint>";
          case 401, 403 -> "it does not accept the credentials, check <header>";
          case 404, 405 -> "it takes no logs there, check the path of <endpoint>, often /v1/logs";
          case 407 -> "the proxy wants a password, use another <proxy>";
          default ->
              fate == Fate.LATER
                  ? "it is not ready"
                  : fate == Fate.REFUSED
                      ? "it refuses a record of our own, too, see its log"
                      : "check <endpoint>";
        };
    return text() + "; " + todo;
  }
}

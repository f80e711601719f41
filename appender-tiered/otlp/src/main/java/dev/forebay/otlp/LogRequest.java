package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.Attributes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * An {@code ExportLogsServiceRequest}, record by record. Records of one logger that follow each
 * other are together; the order of all is kept. For the shipper's thread.
 */
final class LogRequest {

  /** The attribute by which a repetition is known. */
  static final String UID = "log.record.uid";

  private static final int RESOURCE_LOGS = 1;
  private static final int RESOURCE = 1;
  private static final int SCOPE_LOGS = 2;
  private static final int SCOPE = 1;
  private static final int SCOPE_NAME = 1;
  private static final int LOG_RECORDS = 2;
  private static final int BODY = 5;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  /** The type of a field is its tag's lowest bits. */
  private static final byte BYTES_TAG = AnyValue.BYTES << 3 | 2;

  private final byte[] resource;
  private final byte[] lineEnd;

  /** The record, the records of the last logger, all before those. */
  private final ProtoWriter record = new ProtoWriter();

  private final ProtoWriter run = new ProtoWriter();
  private final ProtoWriter runs = new ProtoWriter();
  private byte[] scope = {};
  private byte[] first = {};
  private int count;
  private int payloadBytes;

  LogRequest(byte[] resource, byte[] lineEnd) {
    this.resource = resource;
    this.lineEnd = lineEnd;
  }

  /** A record as it is in the spool: attributes and line. */
  void add(ByteBuffer payload, InstanceId spool, long sequence) {
    payloadBytes += payload.remaining();
    ByteBuffer fields = Attributes.take(payload);
    byte[] name = nameIn(fields);
    if (count == 0) {
      first = new byte[payload.remaining()];
      payload.duplicate().get(first);
    }
    begin(name);
    record.put(fields);
    body(payload);
    uid(spool + "-" + sequence);
    end();
  }

  /** A record of our own, with its fields as an event has them. */
  void add(byte[] attributes, String text, String uid) {
    ByteBuffer fields = ByteBuffer.wrap(attributes);
    begin(nameIn(fields));
    record.put(fields);
    body(ByteBuffer.wrap(text.getBytes(UTF_8)));
    uid(uid);
    end();
  }

  private static byte[] nameIn(ByteBuffer fields) {
    if (fields.remaining() < Short.BYTES) {
      return new byte[0]; // damaged
    }
    byte[] name = new byte[Math.min(fields.getShort() & 0xFFFF, fields.remaining())];
    fields.get(name);
    return name;
  }

  private void begin(byte[] name) {
    if (count > 0 && !Arrays.equals(name, scope)) {
      endRun();
    }
    scope = name;
    record.truncate(0);
  }

  private void end() {
    run.lengthOf(LOG_RECORDS, record.length());
    run.put(record);
    count++;
  }

  private void endRun() {
    if (run.length() > 0) {
      int logs = runs.begin(SCOPE_LOGS);
      int named = runs.begin(SCOPE);
      runs.bytes(SCOPE_NAME, scope);
      runs.end(named);
      runs.put(run);
      runs.end(logs);
      run.truncate(0);
    }
  }

  /** Text, or bytes if it is not UTF-8, which a receiver may refuse; none if it is empty. */
  private void body(ByteBuffer line) {
    int length = line.remaining() - (endsWithLineEnd(line) ? lineEnd.length : 0);
    if (length > 0) {
      int body = record.begin(BODY);
      record.lengthOf(AnyValue.STRING, length);
      int begin = record.length();
      record.put(line.slice(line.position(), length));
      if (!isUtf8(record.bytes(), begin, length)) {
        record.bytes()[body] = BYTES_TAG;
      }
      record.end(body);
    }
  }

  private boolean endsWithLineEnd(ByteBuffer line) {
    int end = line.limit() - lineEnd.length;
    boolean isSo = end >= line.position();
    for (int i = 0; isSo && i < lineEnd.length; i++) {
      isSo = line.get(end + i) == lineEnd[i];
    }
    return isSo;
  }

  private static boolean isUtf8(byte[] bytes, int from, int count) {
    int all = 0;
    for (int i = from; i < from + count; i++) {
      all |= bytes[i];
    }
    if (all >= 0) {
      return true; // ASCII
    }
    try {
      CharBuffer unused = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, count));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private void uid(String uid) {
    int pair = record.begin(EventFields.ATTRIBUTES);
    record.bytes(KEY, UID.getBytes(US_ASCII));
    int value = record.begin(VALUE);
    record.string(AnyValue.STRING, uid);
    record.end(value);
    record.end(pair);
  }

  int count() {
    return count;
  }

  /** Of the added records in the spool. */
  int payloadBytes() {
    return payloadBytes;
  }

  /** The line of the first record. */
  byte[] firstLine() {
    return first;
  }

  void clear() {
    run.clear();
    runs.clear();
    record.clear();
    count = 0;
    payloadBytes = 0;
  }

  /** The request, perhaps compressed. No record is added afterwards. */
  byte[] encode(boolean isCompressed) {
    endRun();
    ProtoWriter before = new ProtoWriter();
    ProtoWriter described = new ProtoWriter();
    described.bytes(RESOURCE, resource);
    before.lengthOf(RESOURCE_LOGS, described.length() + runs.length());
    before.put(described);
    ByteArrayOutputStream all = new ByteArrayOutputStream(before.length() + runs.length());
    try (OutputStream out = isCompressed ? new FastGzip(all) : all) {
      out.write(before.bytes(), 0, before.length());
      out.write(runs.bytes(), 0, runs.length());
    } catch (IOException e) {
      throw new IllegalStateException(e); // it is memory
    }
    return all.toByteArray();
  }

  /** The best compression takes several times as long for a tenth less. */
  private static final class FastGzip extends GZIPOutputStream {

    private static final int BUFFER_BYTES = 8192;

    FastGzip(OutputStream to) throws IOException {
      super(to, BUFFER_BYTES);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}

package dev.forebay.benchmarks.lab;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** What was measured, as text: a line of JSON for each run. A histogram is its own format. */
public final class JsonLines {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .addModule(
              new SimpleModule()
                  .addSerializer(new HistogramWriter())
                  .addDeserializer(Histogram.class, new HistogramReader()))
          .build();

  private JsonLines() {}

  /** Writes a record at the end of a file, which need not exist. */
  public static void append(Path file, Record record) throws IOException {
    Files.writeString(
        file,
        MAPPER.writeValueAsString(record) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Reads a line; throws an IOException when it is no such record. */
  public static <T extends Record> T parse(String line, Class<T> type) throws IOException {
    try {
      return MAPPER.readValue(line, type);
    } catch (RuntimeException e) {
      // A broken histogram makes its decoder throw many kinds of exceptions.
      throw new IOException("not a " + type.getSimpleName() + ": " + e.getMessage(), e);
    }
  }

  private static final class HistogramWriter extends StdSerializer<Histogram> {

    HistogramWriter() {
      super(Histogram.class);
    }

    @Override
    public void serialize(Histogram calls, JsonGenerator out, SerializationContext context) {
      ByteBuffer bytes = ByteBuffer.allocate(calls.getNeededByteBufferCapacity());
      int length = calls.encodeIntoCompressedByteBuffer(bytes);
      out.writeBinary(Arrays.copyOf(bytes.array(), length));
    }
  }

  private static final class HistogramReader extends StdDeserializer<Histogram> {

    HistogramReader() {
      super(Histogram.class);
    }

    @Override
    public Histogram deserialize(JsonParser in, DeserializationContext context) {
      try {
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(in.getBinaryValue()), 0);
      } catch (DataFormatException e) {
        throw new IllegalArgumentException("broken histogram", e);
      }
    }
  }
}

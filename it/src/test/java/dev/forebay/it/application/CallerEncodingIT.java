package dev.forebay.it.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Eight threads outrun the flusher and encode their own events. */
class CallerEncodingIT {

  private static final int THREADS = 8;
  private static final int EACH = 5_000;

  /** A ring so small that it is above its mark nearly always. */
  private static final String NARROW =
      "<ringBufferSize>1024</ringBufferSize><maxFlushTime>30 seconds</maxFlushTime>" + Xml.FAST;

  private static final JsonMapper JSON = new JsonMapper();

  @AutoClose private final Places places = Places.create();

  private static Oracle logWithAllThreads(Tiered tiered, Oracle oracle) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String producer = "thread-" + i;
      oracle.producer(producer, EACH, EACH);
      Thread thread =
          new Thread(
              () -> {
                for (int number = 0; number < EACH; number++) {
                  tiered.logger().info(new Numbered(producer, number).text());
                }
              },
              producer);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    tiered.flush();
    return oracle.dropped(tiered.snapshot().dropped()).complete(0);
  }

  private static @Nullable Numbered messageOf(String json) {
    JsonNode line = JSON.readTree(json);
    return Numbered.parse(line.path("message").asString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<encoder class=\"ch.qos.logback.classic.encoder.JsonEncoder\">"
            + "<withFormattedMessage>true</withFormattedMessage>"
            + "<withMessage>false</withMessage></encoder>",
        "<encoder class=\"net.logstash.logback.encoder.LogstashEncoder\"/>",
        "<encoder class=\"net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder\">"
            + "<providers><timestamp/><message/><threadName/><stackTrace/></providers></encoder>"
      })
  void everyLineIsThereOnceAndInTheOrderOfItsThread(String encoder) throws Exception {
    try (Tiered tiered = Tiered.with(places.xml(), NARROW, encoder)) {
      Oracle oracle = logWithAllThreads(tiered, new Oracle(CallerEncodingIT::messageOf));
      assertThat(tiered.snapshot().dropped()).isZero();
      oracle.requireSound(
          places.lines().stream()
              .map(line -> line.contains("\"Forebay: ") ? "Forebay: a report" : line)
              .map(line -> line.replace("\"formattedMessage\"", "\"message\""))
              .toList());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void callsEncodeUnlessTheyMayNotAndNoLineShowsIt(boolean callers) throws Exception {
    String element = "<callerEncoding>" + callers + "</callerEncoding>";
    String encoder = "<encoder><pattern>%msg%encodedOn%n</pattern></encoder>";
    String rule =
        "<configuration><conversionRule conversionWord=\"encodedOn\" class=\""
            + EncodedOn.class.getName()
            + "\"/>";
    EncodedOn.CALLER.set(0);
    try (Tiered tiered =
        Tiered.configured(
            Xml.configuration(places.xml() + NARROW + element + encoder)
                .replace("<configuration>", rule))) {
      logWithAllThreads(tiered, new Oracle()).requireSound(places.lines());
      assertThat(callers ? tiered.snapshot().dropped() : 0).as("calls found room").isZero();
    }
    assertThat(EncodedOn.CALLER.get() > 0).isEqualTo(callers);
  }

  /** A conversion word of a pattern that says nothing and counts where a caller encodes. */
  public static final class EncodedOn extends ClassicConverter {

    static final AtomicLong CALLER = new AtomicLong();

    @Override
    public String convert(ILoggingEvent event) {
      if (event.getMessage().startsWith("thread-") // else a report, logged by the flusher
          && Thread.currentThread().getName().equals(event.getThreadName())) {
        CALLER.incrementAndGet();
      }
      return "";
    }
  }
}

package dev.forebay.it.attack;

import dev.forebay.it.support.Numbered;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * An event that proves itself, of any size and made up in one of several ways. Everything follows
 * from its producer's name, which ends with a {@link Size}, and its number.
 */
record Message(String producer, long number) {

  /** With this pattern every event is one line. */
  static final String PATTERN =
      "<encoder><pattern>%msg%X{v}%replace(%ex){'[\\r\\n\\t]+','|'}%nopex%n</pattern></encoder>";

  /** What the pattern takes from the MDC. */
  static final String MDC_KEY = "v";

  private static final String TABLE = table();

  /** How large the events of a producer are. */
  enum Size {
    /** Only text. */
    BARE(0, 100),
    SMALL(0, 300),
    MEDIUM(0, 10_000),
    LARGE(0, 150_000),
    /** Mostly small, sometimes megabytes. */
    HUGE(100, 3_000_000);

    private final int min;
    private final int max;

    Size(int min, int max) {
      this.min = min;
      this.max = max;
    }

    private int chars(Random random) {
      boolean small = this == HUGE && random.nextInt(40) != 0;
      return small ? random.nextInt(min) : min + random.nextInt(max - min);
    }
  }

  /** Where the payload is. */
  enum Shape {
    TEXT,
    ARGUMENT,
    OBJECT,
    MDC,
    THROWABLE
  }

  /** An argument whose text is made late. */
  private record Late(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  /** Has all classes loaded: later there may be no descriptor to do it with. */
  static void load() {
    for (int number = 0; number < 20; number++) {
      new Message("x-" + Size.SMALL, number).log((mdc, text, arguments) -> {});
    }
  }

  private static String table() {
    Random random = new Random(1);
    StringBuilder chars = new StringBuilder();
    String alphabet = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ.:;{}%\u0000éß€";
    while (chars.length() < 1 << 16) {
      chars.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return chars.toString();
  }

  private Size size() {
    return Size.valueOf(producer.substring(producer.lastIndexOf('-') + 1));
  }

  private Random random() {
    return new Random(31L * producer.hashCode() + number);
  }

  private Shape shape(Random random) {
    Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
    return size() == Size.BARE ? Shape.TEXT : shape;
  }

  private static String payload(Random random, int chars) {
    StringBuilder text = new StringBuilder(chars);
    while (text.length() < chars) {
      int from = random.nextInt(TABLE.length());
      text.append(TABLE, from, Math.min(TABLE.length(), from + chars - text.length()));
    }
    return text.toString();
  }

  private String header() {
    return producer + " " + number + " ";
  }

  /** The line as it must stand in the log. */
  String line() {
    Random random = random();
    Shape shape = shape(random);
    String line = header() + payload(random, size().chars(random));
    return shape == Shape.THROWABLE ? line + trace(random.nextInt(200)) : line;
  }

  private static String trace(int frames) {
    StringBuilder trace = new StringBuilder("java.lang.IllegalStateException: no|");
    for (int i = 0; i < frames; i++) {
      trace.append("at a.b.C").append(i).append(".m(C.java:").append(i).append(")|");
    }
    return trace.toString();
  }

  private static Exception thrown(int frames) {
    Exception thrown = new IllegalStateException("no");
    StackTraceElement[] trace = new StackTraceElement[frames];
    for (int i = 0; i < frames; i++) {
      trace[i] = new StackTraceElement("a.b.C" + i, "m", "C.java", i);
    }
    thrown.setStackTrace(trace);
    return thrown;
  }

  /** Hands over the parts as an application would. */
  void log(Output output) {
    Random random = random();
    Shape shape = shape(random);
    String payload = payload(random, size().chars(random));
    switch (shape) {
      case TEXT -> output.log(null, header() + payload);
      case ARGUMENT -> output.log(null, "{} {} {}", producer, number, payload);
      case OBJECT -> output.log(null, "{} {} {}", producer, number, new Late(payload));
      case MDC -> output.log(payload, header());
      case THROWABLE -> output.log(null, header() + payload, thrown(random.nextInt(200)));
    }
  }

  /** Takes the parts of an event. */
  @FunctionalInterface
  interface Output {
    void log(@Nullable String mdc, String text, Object... arguments);
  }

  /** What a line says, or null where the line is not exactly what its producer logged. */
  static @Nullable Numbered parse(String line) {
    int first = line.indexOf(' ');
    int second = line.indexOf(' ', first + 1);
    if (first < 0 || second < 0 || !line.substring(first + 1, second).matches("\\d{1,18}")) {
      return null;
    }
    String name = line.substring(0, first);
    long number = Long.parseLong(line.substring(first + 1, second));
    boolean exact = name.matches(".*-[A-Z]+") && new Message(name, number).line().equals(line);
    return exact ? new Numbered(name, number) : null;
  }
}

package dev.forebay.it.process;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.util.List;

/** The lives of the crash matrix: each logs, rolls twice and stops. */
enum ShortLife {

  /** Ships what it logs at once. */
  PROMPT(120, 40) {
    @Override
    String appender(Places places) {
      return FSYNC + Xml.rollBySize(places.logDirectory(), "8KB");
    }
  },

  /**
   * Fills its spool of two segments before the first record is shipped, and settles only when it
   * must: so kills meet full and recycled segments, and long tails behind the checkpoint.
   */
  LAGGING(1000, 1000) {
    @Override
    String appender(Places places) {
      return "<fsync>1 hour</fsync><spoolSize>128KB</spoolSize>"
          + "<appendTimeout>30 seconds</appendTimeout>"
          + Xml.rollBySize(places.logDirectory(), "80KB");
    }
  },

  /** Its archives are packed, by a thread of Logback's. */
  PACKING(120, 40) {
    @Override
    String appender(Places places) {
      return FSYNC + Xml.rollBySize(places.logDirectory(), "8KB").replace(".log<", ".log.gz<");
    }
  },

  /** A roll renames every archive. */
  WINDOW(120, 40) {
    @Override
    String appender(Places places) {
      return FSYNC
          + """
          <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
            <fileNamePattern>%s/app.%%i.log</fileNamePattern>
            <maxIndex>20</maxIndex>
          </rollingPolicy>
          <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
            <maxFileSize>8KB</maxFileSize><checkIncrement>0 seconds</checkIncrement>
          </triggeringPolicy>
          """
              .formatted(places.logDirectory());
    }

    @Override
    LogFiles files(Places places) {
      return LogFiles.of(places.log()).numberedFromNewest();
    }
  };

  /** Every file and every start gets a header line, so that a death can hit that too. */
  static final String HEADER = "#logback.classic pattern: %msg%n";

  private static final String FSYNC = Xml.FAST;
  private static final String HEADED =
      "<encoder><outputPatternAsHeader>true</outputPatternAsHeader><pattern>%msg%n</pattern></encoder>";

  private static final int MESSAGES_AFTERWARDS = 5;

  private final int messages;
  private final int flushEvery;

  ShortLife(int messages, int flushEvery) {
    this.messages = messages;
    this.flushEvery = flushEvery;
  }

  abstract String appender(Places places);

  /** The elements inside the appender. */
  String xml(Places places) {
    return places.xml() + "<segmentSize>64KB</segmentSize>" + appender(places) + HEADED;
  }

  LogFiles files(Places places) {
    return LogFiles.of(places.log());
  }

  List<String> lines(Places places) throws IOException {
    return files(places).lines();
  }

  /** Logs, rolls twice, stops. */
  Child.Task task(String name) {
    return new Child.Task(name, 1, messages, flushEvery, 0, "stop");
  }

  /** Ships what is there, logs a little, stops. */
  static Child.Task recovery(String name) {
    return new Child.Task(name, 1, MESSAGES_AFTERWARDS, MESSAGES_AFTERWARDS, 0, "stop");
  }
}

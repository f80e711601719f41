package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A process whose heap holds little more than its ring. */
class SmallHeapIT {

  private static final String FAST = "<fsync>50 milliseconds</fsync>";

  @AutoClose private final Places places = Places.create();

  @Test
  void aBacklogStaysWithinItsBytesInASmallHeap() throws Exception {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    int count = 200_000; // about 40 MB in the log, several times that as events
    String inner =
        places.xml()
            + FAST
            + "<spoolSize>2MB</spoolSize><segmentSize>256KB</segmentSize>"
            + "<ringBufferSize>131072</ringBufferSize><ringBufferBytes>2MB</ringBufferBytes>"
            + Xml.MESSAGES;
    Child.Task task = new Child.Task("backlog", 1, count, 0, 0, "stop");
    LedgerNumbers account;
    try (Child child =
        Child.startSmall(task, Xml.configuration(inner), places.directory("backlog"), "24m")) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.output()).doesNotContain("OutOfMemoryError");
      account = LedgerNumbers.parse(child.account());
    }
    assertThat(account.dropped()).isPositive();
    Files.delete(places.logDirectory());
    try (Tiered tiered = Tiered.with(inner)) {
      tiered.log("next", 0, 1).flush();
    }
    new Oracle()
        .producer("backlog-0", 0, count)
        .producer("next", 1, 1)
        .dropped(account.dropped())
        .complete(0)
        .requireSound(places.lines());
  }

  /** What a child wrote down of its account. */
  private record LedgerNumbers(long offered, long dropped) {
    static LedgerNumbers parse(String text) {
      Matcher matcher = Pattern.compile("offered (\\d+) .* dropped (\\d+) ").matcher(text);
      assertThat(matcher.find()).as(text).isTrue();
      return new LedgerNumbers(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }
  }
}

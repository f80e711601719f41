package dev.forebay.it.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Processes that log into one log, one after the other, and what of it a carrier must have. */
final class Lives {

  /** Messages of a process at least. */
  static final long LENGTH = 3000;

  static final String LOGSTASH =
      "<encoder class=\"net.logstash.logback.encoder.LogstashEncoder\"/>";

  private static final Pattern JSON = Pattern.compile("\\{.*\"message\":\"([^\"]*)\".*}");

  private static final Comparator<String> BY_NUMBER =
      Comparator.comparingLong(
          line -> {
            Numbered read = Numbered.parse(line);
            return read == null ? -1 : read.number();
          });

  private final Places places;
  private final String rolling;

  /** What the processes logged, by what they say. */
  private final Oracle oracle = new Oracle();

  private String encoder = Xml.MESSAGES;

  Lives(Places places, String rolling) {
    this.places = places;
    this.rolling = rolling;
  }

  Lives encodedBy(String encoder) {
    this.encoder = encoder;
    return this;
  }

  Child begin(String name, long count) throws IOException {
    String inner =
        places.xml()
            + "<fsync>1 minute</fsync><appendTimeout>30 seconds</appendTimeout>"
            + "<maxFlushTime>30 seconds</maxFlushTime>"
            + rolling
            + encoder;
    Child.Task task = new Child.Task(name, 1, count, 0, 3, "stop");
    List<String> all =
        List.of("-cp", System.getProperty("java.class.path")); // what JSON needs, too
    return Child.startWith(all, task, Xml.configuration(inner), places.directory(name));
  }

  Oracle oracle() {
    return oracle;
  }

  void kill(Child child) throws Exception {
    child.kill();
    child.tell(oracle);
  }

  void liveAndDie(String name) throws Exception {
    try (Child child = begin(name, Long.MAX_VALUE)) {
      child.awaitOffered(0, LENGTH);
      kill(child);
    }
  }

  void liveToTheEnd(String name) throws Exception {
    try (Child child = begin(name, LENGTH)) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.status()).isEmpty();
      child.tell(oracle);
    }
  }

  /** Nothing is missing, doubled or changed, in the log and in what was carried. */
  void requireSound(Collection<String> carried) throws IOException {
    assertThat(LogFiles.of(places.log()).fileCount()).isGreaterThan(5);
    List<String> logged = places.lines().stream().map(Lives::messageOf).toList();
    Oracle lines = oracle.seen(logged);
    lines.requireSound(logged);
    lines.requireSound(byNumber(carried.stream().map(Lives::messageOf).toList()));
  }

  /** As it logged them, for a carrier that reads several files in no certain order. */
  static List<String> byNumber(Collection<String> messages) {
    return messages.stream().sorted(BY_NUMBER).toList();
  }

  private static String messageOf(String line) {
    Matcher json = JSON.matcher(line);
    return json.matches() ? json.group(1) : line;
  }
}

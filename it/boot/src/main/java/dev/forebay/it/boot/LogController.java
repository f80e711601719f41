package dev.forebay.it.boot;

import ch.qos.logback.classic.LoggerContext;
import java.util.stream.Collectors;
import javax.management.JMException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Logs the lines of a request, and tells what became of them. */
@RestController
final class LogController {

  private static final Logger LOG = LoggerFactory.getLogger("it");
  private final Farewell farewell;

  LogController(Farewell farewell) {
    this.farewell = farewell;
  }

  /** Logs each line as one event; the answer is the thread that did. */
  @PostMapping("/log")
  String log(@RequestBody String lines) {
    lines.lines().forEach(LOG::info);
    return Thread.currentThread().toString();
  }

  /** Lines that are to be logged at the end of the application. */
  @PostMapping("/farewell")
  String farewell(@RequestBody String lines) {
    farewell.say(lines.lines().toList());
    return "";
  }

  /** A line for each appender: its account. */
  @GetMapping("/account")
  String account() throws JMException {
    return Accounts.read(false);
  }

  /** The same after everything logged so far has been delivered. */
  @GetMapping("/flushed")
  String flushed() throws JMException {
    return Accounts.read(true);
  }

  /** What Logback and the appenders had to say, a line for each status: level and message. */
  @GetMapping("/statuses")
  String statuses() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .map(status -> status.getEffectiveLevel() + " " + status.getMessage())
        .collect(Collectors.joining("\n"));
  }
}

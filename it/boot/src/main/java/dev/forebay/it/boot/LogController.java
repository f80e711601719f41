package dev.forebay.it.boot;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.observe.AppenderMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Logs the lines of a request, and tells what became of them. */
@RestController
final class LogController {

  private static final Logger LOG = LoggerFactory.getLogger("it");
  private static final long FLUSH_MS = 30_000;
  private static final List<String> NUMBERS =
      List.of("offered", "delivered", "dropped", "inFlight");

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

  /** For the access log: the answer is the path. */
  @GetMapping("/{visitor:v\\d+|again}/{number}")
  String visit(@PathVariable("visitor") String visitor, @PathVariable("number") String number) {
    return "/" + visitor + "/" + number;
  }

  /** Lines that are to be logged at the end of the application. */
  @PostMapping("/farewell")
  String farewell(@RequestBody String lines) {
    farewell.say(lines.lines().toList());
    return "";
  }

  /** What is delivered, of each appender in JMX: a line with its name and four numbers. */
  @GetMapping("/flushed")
  String flushed() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    StringJoiner lines = new StringJoiner("\n");
    ObjectName all = new ObjectName("dev.forebay:type=Appender,*");
    for (ObjectName name : new TreeSet<>(server.queryNames(all, null))) {
      AppenderMXBean bean = JMX.newMXBeanProxy(server, name, AppenderMXBean.class);
      boolean unused = bean.flush(FLUSH_MS);
      Map<String, Long> account = bean.getAccount();
      StringJoiner line = new StringJoiner(" ").add(name.getKeyProperty("name"));
      NUMBERS.forEach(number -> line.add(String.valueOf(account.get(number))));
      lines.add(line.toString());
    }
    return lines.toString();
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

package dev.forebay.it.boot;

import static net.logstash.logback.argument.StructuredArguments.keyValue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Answers {@code GET /orders/<number>} with a made-up order and logs its way there the way a chatty
 * application does.
 */
@RestController
final class OrderController {

  /** Log calls in the loop of each request, all TRACE. */
  private static final int ITEMS = 80;

  private static final Logger LOG = LoggerFactory.getLogger(OrderController.class);

  OrderController() {}

  @GetMapping("/orders/{number}")
  ResponseEntity<String> order(@PathVariable String number) {
    MDC.put("traceId", number);
    try {
      return answer(number);
    } finally {
      MDC.remove("traceId");
    }
  }

  private static ResponseEntity<String> answer(String number) {
    LOG.info("Order {} requested", number);
    LOG.debug("Order {} found", number, keyValue("items", ITEMS));
    long totalCents = 0;
    for (int item = 0; item < ITEMS; item++) {
      long priceCents = 100 + 37L * item;
      totalCents += priceCents;
      LOG.trace("Order {} item {} costs {} cents", number, item, priceCents);
    }
    LOG.debug("Order {} priced", number, keyValue("totalCents", totalCents));
    return ResponseEntity.ok("order " + number + ": " + totalCents + " cents\n");
  }

  /** From now on nothing is logged. */
  @GetMapping("/silence")
  String silence() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    return "";
  }

  /** Events counted before the appenders. */
  @GetMapping("/offered")
  String offered() {
    return String.valueOf(OfferedCounter.offered());
  }
}

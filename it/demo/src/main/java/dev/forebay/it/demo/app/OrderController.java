package dev.forebay.it.demo.app;

import static net.logstash.logback.argument.StructuredArguments.keyValue;

import java.util.List;
import java.util.Optional;
import org.apache.pekko.util.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import play.api.mvc.Handler;
import play.libs.streams.Accumulator;
import play.mvc.EssentialAction;
import play.mvc.Http;
import play.mvc.Result;
import play.mvc.Results;
import play.routing.Router;

/**
 * Answers {@code GET /orders/<number>} with a made-up order and logs its way there the way a chatty
 * application does. It is its own router, because Play's routing language for Java is not needed
 * for one path.
 */
final class OrderController implements Router {

  /** Log calls in the loop of each request, all TRACE. */
  private static final int ITEMS = 80;

  private static final String PATH = "/orders/";
  private static final Logger logger = LoggerFactory.getLogger(OrderController.class);

  private final PhaseHistograms calls;

  OrderController(PhaseHistograms calls) {
    this.calls = calls;
  }

  @Override
  public Optional<Handler> route(Http.RequestHeader request) {
    return request.path().startsWith(PATH)
        ? Optional.of(EssentialAction.of(this::answer))
        : Optional.empty();
  }

  @Override
  public List<RouteDocumentation> documentation() {
    return List.of();
  }

  @Override
  public Router withPrefix(String prefix) {
    return this;
  }

  private Accumulator<ByteString, Result> answer(Http.RequestHeader request) {
    String order = request.path().substring(PATH.length());
    MDC.put("traceId", order);
    try {
      return Accumulator.done(answer(order, request));
    } finally {
      MDC.remove("traceId");
    }
  }

  private Result answer(String order, Http.RequestHeader request) {
    calls.time(() -> logger.info("Order {} requested by {}", order, request.remoteAddress()));
    calls.time(() -> logger.debug("Order {} found", order, keyValue("items", ITEMS)));
    long totalCents = 0;
    for (int item = 0; item < ITEMS; item++) {
      long priceCents = 100 + 37L * item;
      totalCents += priceCents;
      int number = item;
      calls.time(() -> logger.trace("Order {} item {} costs {} cents", order, number, priceCents));
    }
    long total = totalCents;
    calls.time(() -> logger.debug("Order {} priced", order, keyValue("totalCents", total)));
    return Results.ok("order " + order + ": " + total + " cents\n");
  }
}

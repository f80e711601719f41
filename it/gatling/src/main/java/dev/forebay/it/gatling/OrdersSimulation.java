package dev.forebay.it.gatling;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * One user after the other, one a second, each of which asks for so many orders, back to back. No
 * two requests ask for the same order.
 *
 * <p>System properties: {@code load.url}, {@code load.users}, {@code load.requests} of a user.
 */
public final class OrdersSimulation extends Simulation {

  private static final int USERS = Integer.getInteger("load.users", 20);
  private static final int REQUESTS = Integer.getInteger("load.requests", 500);
  private static final String URL = System.getProperty("load.url", "http://127.0.0.1:9000");
  private static final Duration AFTERWARDS = Duration.ofSeconds(1);
  private static final double ALL = 100.0;

  /** Called by Gatling. */
  public OrdersSimulation() {
    ScenarioBuilder clients =
        scenario("Clients")
            .exec(
                repeat(REQUESTS, "count")
                    .on(exec(http("order").get(OrdersSimulation::path).check(status().is(200)))))
            .pause(AFTERWARDS);
    setUp(clients.injectOpen(rampUsers(USERS).during(Duration.ofSeconds(USERS))))
        // By default a first request goes to Gatling's own site.
        .protocols(http.baseUrl(URL).disableWarmUp())
        .assertions(global().successfulRequests().percent().is(ALL));
  }

  /** Users are numbered from 1 on. */
  private static String path(Session session) {
    return "/orders/" + ((session.userId() - 1) * REQUESTS + session.getInt("count"));
  }
}

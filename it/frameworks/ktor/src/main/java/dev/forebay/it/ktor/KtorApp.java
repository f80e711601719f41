package dev.forebay.it.ktor;

import dev.forebay.it.frameworks.Work;
import io.ktor.server.application.Application;
import io.ktor.server.application.DefaultApplicationEventsKt;
import io.ktor.server.cio.CIO;
import io.ktor.server.engine.EmbeddedServer;
import io.ktor.server.engine.EmbeddedServerKt;
import io.ktor.server.engine.EngineConnectorConfig;
import io.ktor.server.response.ApplicationResponseFunctionsKt;
import io.ktor.server.routing.Route;
import io.ktor.server.routing.RoutingBuilderKt;
import io.ktor.server.routing.RoutingContext;
import io.ktor.server.routing.RoutingRootKt;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;

/** The application. A logback.xml on its class path does the logging. */
public final class KtorApp {

  private KtorApp() {}

  /** Runs until the process is told to end. */
  public static void main(String[] args) throws InterruptedException {
    EmbeddedServer<?, ?> server =
        EmbeddedServerKt.embeddedServer(CIO.INSTANCE, 0, "127.0.0.1", List.of(), KtorApp::module);
    server.start(false);
    List<? extends EngineConnectorConfig> connectors =
        BuildersKt.runBlocking(
            EmptyCoroutineContext.INSTANCE,
            (scope, next) -> server.getEngine().resolvedConnectors(next));
    Work.ready(connectors.get(0).getPort());
    Thread.currentThread().join();
  }

  private static Unit module(Application application, Continuation<?> unused) {
    application
        .getMonitor()
        .subscribe(
            DefaultApplicationEventsKt.getApplicationStopping(),
            stopping -> {
              Work.end();
              return Unit.INSTANCE;
            });
    RoutingRootKt.routing(
        application,
        routing -> {
          get(routing, "/log/{line}", context -> Work.log(line(context)));
          get(routing, "/keep/{line}", context -> Work.keep(line(context)));
          get(routing, "/flushed", context -> Work.flushed());
          get(routing, "/statuses", context -> Work.statuses());
          return Unit.INSTANCE;
        });
    return Unit.INSTANCE;
  }

  private static void get(Route route, String path, Function<RoutingContext, String> answer) {
    RoutingBuilderKt.get(
        route,
        path,
        (context, next) ->
            ApplicationResponseFunctionsKt.respondText(
                context.getCall(),
                answer.apply(context),
                null,
                null,
                content -> Unit.INSTANCE,
                next));
  }

  private static String line(RoutingContext context) {
    return Objects.requireNonNull(context.getCall().getPathParameters().get("line"));
  }
}

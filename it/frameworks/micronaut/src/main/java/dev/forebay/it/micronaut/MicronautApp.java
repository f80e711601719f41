package dev.forebay.it.micronaut;

import dev.forebay.it.frameworks.Work;
import io.micronaut.context.event.ApplicationEventPublisher;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.context.scope.refresh.RefreshEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerShutdownEvent;
import io.micronaut.runtime.server.event.ServerStartupEvent;

/** The application and what it serves. A logback.xml on its class path does the logging. */
@Controller
@Produces(MediaType.TEXT_PLAIN)
public class MicronautApp {

  private final ApplicationEventPublisher<RefreshEvent> refresh;

  /** For Micronaut. */
  public MicronautApp(ApplicationEventPublisher<RefreshEvent> refresh) {
    this.refresh = refresh;
  }

  /** Runs until the process is told to end. */
  public static void main(String[] args) {
    Micronaut.run(MicronautApp.class, args);
  }

  /** Logs a line. */
  @Get("/log/{line}")
  public String log(@PathVariable String line) {
    return Work.log(line);
  }

  /** Keeps a line for the end. */
  @Get("/keep/{line}")
  public String keep(@PathVariable String line) {
    return Work.keep(line);
  }

  /** The accounts. */
  @Get("/flushed")
  public String flushed() {
    return Work.flushed();
  }

  /** Has Micronaut read its configuration again, and Logback's too. */
  @Get("/refresh")
  public String refresh() {
    refresh.publishEvent(new RefreshEvent());
    return "";
  }

  /** The statuses. */
  @Get("/statuses")
  public String statuses() {
    return Work.statuses();
  }

  /** It serves. */
  @EventListener
  public void started(ServerStartupEvent started) {
    Work.ready(started.getSource().getPort());
  }

  /** It ends. */
  @EventListener
  public void stopped(ServerShutdownEvent stopped) {
    Work.end();
  }
}

package dev.forebay.it.dropwizard;

import dev.forebay.it.frameworks.Work;
import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.Managed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.jetty.server.ServerConnector;

/** The application. Its configuration does the logging. */
public final class DropwizardApp extends Application<Configuration> {

  private DropwizardApp() {}

  /** Runs until the process is told to end. */
  public static void main(String[] args) throws Exception {
    new DropwizardApp().run(args);
  }

  @Override
  public void run(Configuration configuration, Environment environment) {
    environment.jersey().register(new Resource());
    environment.lifecycle().manage(new AtTheEnd());
    environment
        .lifecycle()
        .addServerLifecycleListener(
            server -> Work.ready(((ServerConnector) server.getConnectors()[0]).getLocalPort()));
  }

  private static final class AtTheEnd implements Managed {
    @Override
    public void stop() {
      Work.end();
    }
  }

  /** What it serves. */
  @Path("/")
  @Produces(MediaType.TEXT_PLAIN)
  public static final class Resource {

    /** Logs a line. */
    @GET
    @Path("log/{line}")
    public String log(@PathParam("line") String line) {
      return Work.log(line);
    }

    /** Keeps a line for the end. */
    @GET
    @Path("keep/{line}")
    public String keep(@PathParam("line") String line) {
      return Work.keep(line);
    }

    /** The accounts. */
    @GET
    @Path("flushed")
    public String flushed() {
      return Work.flushed();
    }

    /** The statuses. */
    @GET
    @Path("statuses")
    public String statuses() {
      return Work.statuses();
    }
  }
}

package dev.forebay.it.access;

import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.access.jetty.RequestLogImpl;
import ch.qos.logback.access.tomcat.LogbackValve;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusManager;
import dev.forebay.access.AccessNonBlockingAppender;
import dev.forebay.access.AccessTieredAppender;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server in a process of its own, which answers each request with its path. Its access log is as
 * the file {@code logback-access.xml} of its directory says, with one appender A. Stops at the end
 * of its input, and then says what became of the events, if the appender counts.
 */
final class AccessServer {

  static final String CONFIGURATION = "logback-access.xml";

  private AccessServer() {}

  /**
   * Runs until the end of its input.
   *
   * @param arguments {@code tomcat} or {@code jetty}, and the directory
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    LoggerContext servers = (LoggerContext) LoggerFactory.getILoggerFactory();
    servers.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
    Running running = arguments[0].equals("tomcat") ? tomcat(directory) : jetty(directory);
    Appender<IAccessEvent> appender = running.log.getAppender("A");
    for (Status status : running.statuses.getCopyOfStatusList()) {
      boolean isAboutVersions = status.getMessage().contains("expected version");
      if (status.getEffectiveLevel() >= Status.WARN && !isAboutVersions) {
        System.out.println("problem " + status.getMessage());
      }
    }
    System.out.println("ready " + running.port);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (in.readLine() != null) {
      // until it ends
    }
    running.server.close();
    System.out.println("account " + account(appender));
  }

  /** A server, where its log's appender is found, and its port. */
  private record Running(
      AutoCloseable server,
      AppenderAttachable<IAccessEvent> log,
      StatusManager statuses,
      int port) {}

  private static @Nullable Object account(Appender<IAccessEvent> appender) {
    if (appender instanceof AccessTieredAppender tiered) {
      return tiered.snapshot();
    }
    return appender instanceof AccessNonBlockingAppender ring ? ring.snapshot() : null;
  }

  private static Running tomcat(Path directory) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
    Context context = tomcat.addContext("", null);
    HttpServlet echo =
        new HttpServlet() {
          private static final long serialVersionUID = 1;

          @Override
          protected void doGet(HttpServletRequest request, HttpServletResponse response)
              throws IOException {
            byte[] body = request.getRequestURI().getBytes(StandardCharsets.UTF_8);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
          }
        };
    Tomcat.addServlet(context, "echo", echo);
    context.addServletMappingDecoded("/*", "echo");
    LogbackValve valve = new LogbackValve();
    valve.setFilename(CONFIGURATION); // in the base directory
    valve.setQuiet(true);
    tomcat.getEngine().getPipeline().addValve(valve);
    tomcat.start();
    AutoCloseable stop =
        () -> {
          tomcat.stop();
          tomcat.destroy();
        };
    return new Running(stop, valve, valve.getStatusManager(), tomcat.getConnector().getLocalPort());
  }

  private static Running jetty(Path directory) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    server.addConnector(connector);
    RequestLogImpl log = new RequestLogImpl();
    log.setFileName(directory.resolve(CONFIGURATION).toString());
    log.setQuiet(true);
    server.setRequestLog(log);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            byte[] body = request.getHttpURI().getPath().getBytes(StandardCharsets.UTF_8);
            response.write(true, ByteBuffer.wrap(body), callback);
            return true;
          }
        });
    server.start();
    return new Running(server::stop, log, log.getStatusManager(), connector.getLocalPort());
  }
}

package dev.forebay.it.demo.app;

import java.util.List;
import java.util.Map;
import play.Application;
import play.ApplicationLoader;
import play.BuiltInComponentsFromContext;
import play.LoggerConfigurator;
import play.mvc.EssentialFilter;
import play.routing.Router;

/** Assembles the Play application; named in {@code application.conf}. */
public final class AppLoader implements ApplicationLoader {

  /** Called by Play. */
  public AppLoader() {}

  @Override
  public Application load(Context context) {
    LoggerConfigurator.apply(context.environment().classLoader())
        .ifPresent(
            logging -> logging.configure(context.environment(), context.initialConfig(), Map.of()));
    return new Components(context).application();
  }

  private static final class Components extends BuiltInComponentsFromContext {

    Components(Context context) {
      super(context);
    }

    @Override
    public List<EssentialFilter> httpFilters() {
      return List.of();
    }

    @Override
    public Router router() {
      return new OrderController(PlayApp.CALLS);
    }
  }
}

package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import org.slf4j.Marker;

/** The markers of an event. */
public final class Markers {

  private Markers() {}

  /** Whether one of them has this name, or refers to one that has. Foreign markers may throw. */
  public static boolean contain(ILoggingEvent event, String name) {
    List<Marker> markers = event.getMarkerList();
    if (markers != null) {
      for (Marker each : markers) {
        if (each.contains(name)) {
          return true;
        }
      }
    }
    return false;
  }
}

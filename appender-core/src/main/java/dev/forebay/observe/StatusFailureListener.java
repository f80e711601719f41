package dev.forebay.observe;

import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;

/** Writes drops and failures as Logback WARN statuses, recoveries as INFO. */
public final class StatusFailureListener extends ContextAwareBase implements FailureListener {

  public StatusFailureListener() {}

  @Override
  public void onDropped(String appender, List<DropSummary> drops) {
    addWarn("Appender [" + appender + "]: " + DropSummary.text(drops));
  }

  @Override
  public void onOutputFailed(String appender, OutputProblem problem) {
    addWarn(
        "Appender [%s]: %s failed %d times"
            .formatted(appender, problem.output(), problem.failures()),
        problem.cause());
  }

  @Override
  public void onOutputRecovered(String appender, OutputProblem problem) {
    addInfo("Appender [" + appender + "]: " + problem.output() + " works again");
  }
}

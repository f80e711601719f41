package dev.forebay.access;

import dev.forebay.PipelineProperties;

/**
 * The properties of the ring, without those that depend on levels. Public for Joran.
 *
 * @hidden
 */
public interface AccessProperties extends PipelineProperties {

  /** Has no meaning: access events have no level. */
  @Override
  default void setDiscardingThreshold(int freeSlots) {
    pipelineOptions().setWithoutMeaning("discardingThreshold", "access events have no level");
  }

  /** Has no meaning: access events have no level. */
  @Override
  default void setUrgentLevel(String level) {
    pipelineOptions().setWithoutMeaning("urgentLevel", "access events have no level");
  }

  /** Has no meaning: a request has no caller. */
  @Override
  default void setIncludeCallerData(boolean include) {
    pipelineOptions().setWithoutMeaning("includeCallerData", "a request has no caller");
  }
}

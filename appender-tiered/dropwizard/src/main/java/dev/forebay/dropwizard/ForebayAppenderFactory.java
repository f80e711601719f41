package dev.forebay.dropwizard;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AsyncAppenderBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.util.FileSize;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.Nulls;
import dev.forebay.tiered.TieredAppender;
import io.dropwizard.logging.common.FileAppenderFactory;
import io.dropwizard.logging.common.async.AsyncAppenderFactory;
import io.dropwizard.logging.common.filter.LevelFilterFactory;
import io.dropwizard.logging.common.layout.LayoutFactory;
import io.dropwizard.util.DataSize;
import io.dropwizard.validation.ValidationMethod;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The appender {@code type: forebay} of Dropwizard's logging configuration: takes all that {@code
 * type: file} takes, and the properties of a {@link TieredAppender} under their names in XML, with
 * sizes as Dropwizard writes them. {@code bufferSize} and {@code immediateFlush} have no effect.
 *
 * <p>Unlike Dropwizard's other appenders it is not put behind an {@code AsyncAppender}, which would
 * drop events uncounted: its log calls do not wait anyway. An application whose appender is
 * configured wrongly does not start; other warnings go to the standard error. Not for the request
 * log, whose events are of another type.
 */
@JsonTypeName("forebay")
public final class ForebayAppenderFactory extends FileAppenderFactory<ILoggingEvent> {

  private @Nullable Boolean neverBlock;

  // Null by default, also with nothing after the colon.
  @JsonProperty private @Nullable Integer ringBufferSize;
  @JsonProperty private @Nullable DataSize ringBufferBytes;
  @JsonProperty private @Nullable String appendTimeout;
  @JsonProperty private @Nullable String maxFlushTime;
  @JsonProperty private @Nullable String reportInterval;
  @JsonProperty private @Nullable String urgentLevel;
  @JsonProperty private @Nullable String threadNameFormat;
  @JsonProperty private @Nullable String spoolDirectory;
  @JsonProperty private @Nullable DataSize spoolSize;
  @JsonProperty private @Nullable DataSize segmentSize;
  @JsonProperty private @Nullable String fsync;
  @JsonProperty private @Nullable String callerEncoding;
  @JsonProperty private @Nullable String durability;
  @JsonProperty private @Nullable String durabilityTimeout;
  @JsonProperty private @Nullable String filePermissions;
  @JsonProperty private @Nullable String overflowDirectory;
  @JsonProperty private @Nullable DataSize overflowSize;
  @JsonProperty private @Nullable Boolean control;

  @JsonProperty
  @JsonSetter(nulls = Nulls.AS_EMPTY)
  private @Nullable FlightRecorder flightRecorder;

  /** One limit or a list. */
  @JsonProperty
  @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
  @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.SKIP)
  private List<Limit> limit = List.of();

  public ForebayAppenderFactory() {}

  /** Whether log calls may wait; see {@code appendTimeout}. */
  @Override
  public void setNeverBlock(boolean never) {
    neverBlock = never;
  }

  private void configure(TieredAppender to) {
    ifGiven(neverBlock, to::setNeverBlock);
    ifGiven(ringBufferSize, to::setRingBufferSize);
    ifGiven(bytes(ringBufferBytes), to::setRingBufferBytes);
    ifGiven(appendTimeout, to::setAppendTimeout);
    ifGiven(maxFlushTime, to::setMaxFlushTime);
    ifGiven(reportInterval, to::setReportInterval);
    ifGiven(urgentLevel, to::setUrgentLevel);
    ifGiven(threadNameFormat, to::setThreadNameFormat);
    ifGiven(spoolDirectory, to::setSpoolDirectory);
    ifGiven(bytes(spoolSize), to::setSpoolSize);
    ifGiven(bytes(segmentSize), to::setSegmentSize);
    ifGiven(fsync, to::setFsync);
    ifGiven(callerEncoding, to::setCallerEncoding);
    ifGiven(durability, to::setDurability);
    ifGiven(durabilityTimeout, to::setDurabilityTimeout);
    ifGiven(filePermissions, to::setFilePermissions);
    ifGiven(overflowDirectory, to::setOverflowDirectory);
    ifGiven(bytes(overflowSize), to::setOverflowSize);
    ifGiven(control, to::setControl);
    ifGiven(flightRecorder, recorder -> to.setFlightRecorder(recorder.options()));
    limit.forEach(one -> to.addLimit(one.options()));
  }

  static <T> void ifGiven(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  static @Nullable FileSize bytes(@Nullable DataSize size) {
    return size == null ? null : new FileSize(size.toBytes());
  }

  /** Called by Dropwizard, which refuses the configuration if it is false. */
  @JsonIgnore
  @ValidationMethod(
      message = "messageRate drops lines uncounted: remove it, or use type: file for that appender")
  public boolean isWithoutMessageRate() {
    return getMessageRate() == null;
  }

  @Override
  public Appender<ILoggingEvent> build(
      LoggerContext context,
      String applicationName,
      LayoutFactory<ILoggingEvent> layoutFactory,
      LevelFilterFactory<ILoggingEvent> levelFilterFactory,
      AsyncAppenderFactory<ILoggingEvent> asyncAppenderFactory) {
    if (!(asyncAppenderFactory.build() instanceof AsyncAppender)) { // Jackson sees no event types
      throw new IllegalArgumentException(
          "type: forebay takes log events, no requests: for the requestLog write type: file");
    }
    return super.build(
        context, applicationName, layoutFactory, levelFilterFactory, asyncAppenderFactory);
  }

  @Override
  protected OutputStreamAppender<ILoggingEvent> appender(LoggerContext context) {
    TieredAppender appender = new TieredAppender();
    appender.setContext(context);
    context.getStatusManager().add(new Warnings(appender));
    appender.setName(name());
    appender.setFile(getCurrentLogFilename());
    if (buildAppender(context) instanceof RollingFileAppender<ILoggingEvent> ofDropwizard) {
      ofDropwizard.getRollingPolicy().setParent(appender);
      appender.setRollingPolicy(ofDropwizard.getRollingPolicy());
      appender.setTriggeringPolicy(ofDropwizard.getTriggeringPolicy());
    }
    if (getQueueSize() != AsyncAppenderBase.DEFAULT_QUEUE_SIZE) { // else ours, which is larger
      appender.setQueueSize(getQueueSize());
    }
    appender.setDiscardingThreshold(getDiscardingThreshold());
    appender.setIncludeCallerData(isIncludeCallerData());
    if (getLayout() == null) { // Dropwizard's pattern bears many threads, as Logback's does
      appender.setCallerEncoding("true");
    }
    configure(appender);
    return appender;
  }

  /** The file's own name, so that several appenders have different ones. */
  private String name() {
    String file = getCurrentLogFilename();
    Path name =
        Path.of(file == null ? String.valueOf(getArchivedLogFilenamePattern()) : file)
            .getFileName();
    return String.valueOf(name);
  }

  /** Called with the appender when it has been started; it stays as it is. */
  @Override
  protected Appender<ILoggingEvent> wrapAsync(
      Appender<ILoggingEvent> appender, AsyncAppenderFactory<ILoggingEvent> unused) {
    if (!appender.isStarted()) {
      throw new IllegalArgumentException(
          appender.getContext().getStatusManager().getCopyOfStatusList().stream()
              .filter(status -> status.getEffectiveLevel() == Status.ERROR)
              .map(Status::getMessage)
              .collect(Collectors.joining("; ")));
    }
    return appender;
  }
}

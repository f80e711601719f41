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
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
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
 * log, whose events are others.
 */
@JsonTypeName("forebay")
public final class ForebayAppenderFactory extends FileAppenderFactory<ILoggingEvent> {

  private final List<Consumer<TieredAppender>> settings = new ArrayList<>();

  public ForebayAppenderFactory() {}

  /** Whether log calls may wait; see {@code appendTimeout}. */
  @Override
  public void setNeverBlock(boolean never) {
    set(TieredAppender::setNeverBlock, never);
  }

  /** See {@link TieredAppender#setRingBufferSize}; the same as {@code queueSize}. */
  public void setRingBufferSize(int size) {
    set(TieredAppender::setRingBufferSize, size);
  }

  public void setRingBufferBytes(@Nullable DataSize size) {
    set(TieredAppender::setRingBufferBytes, bytes(size));
  }

  public void setAppendTimeout(@Nullable String timeout) {
    set(TieredAppender::setAppendTimeout, timeout);
  }

  public void setMaxFlushTime(@Nullable String time) {
    set(TieredAppender::setMaxFlushTime, time);
  }

  public void setReportInterval(@Nullable String interval) {
    set(TieredAppender::setReportInterval, interval);
  }

  public void setUrgentLevel(@Nullable String level) {
    set(TieredAppender::setUrgentLevel, level);
  }

  public void setThreadNameFormat(@Nullable String format) {
    set(TieredAppender::setThreadNameFormat, format);
  }

  public void setSpoolDirectory(@Nullable String directory) {
    set(TieredAppender::setSpoolDirectory, directory);
  }

  public void setSpoolSize(@Nullable DataSize size) {
    set(TieredAppender::setSpoolSize, bytes(size));
  }

  public void setSegmentSize(@Nullable DataSize size) {
    set(TieredAppender::setSegmentSize, bytes(size));
  }

  public void setFsync(@Nullable String policy) {
    set(TieredAppender::setFsync, policy);
  }

  /** See {@link TieredAppender#setCallerEncoding}; default true unless there is a layout. */
  public void setCallerEncoding(String callerEncoding) {
    set(TieredAppender::setCallerEncoding, callerEncoding);
  }

  public void setDurability(@Nullable String scope) {
    set(TieredAppender::setDurability, scope);
  }

  public void setDurabilityTimeout(@Nullable String time) {
    set(TieredAppender::setDurabilityTimeout, time);
  }

  public void setFilePermissions(@Nullable String permissions) {
    set(TieredAppender::setFilePermissions, permissions);
  }

  public void setOverflowDirectory(@Nullable String directory) {
    set(TieredAppender::setOverflowDirectory, directory);
  }

  public void setOverflowSize(@Nullable DataSize size) {
    set(TieredAppender::setOverflowSize, bytes(size));
  }

  public void setControl(boolean control) {
    set(TieredAppender::setControl, control);
  }

  @JsonSetter(nulls = Nulls.AS_EMPTY)
  public void setFlightRecorder(FlightRecorder recorder) {
    set(TieredAppender::setFlightRecorder, recorder.options());
  }

  /** See {@link TieredAppender#addLimit}; one or a list. */
  @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
  @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.SKIP)
  public void setLimit(List<Limit> limits) {
    limits.forEach(limit -> set(TieredAppender::addLimit, limit.options()));
  }

  /** Nothing after the colon is the default. */
  private <T> void set(BiConsumer<TieredAppender, T> setter, @Nullable T value) {
    ifGiven(value, given -> settings.add(appender -> setter.accept(appender, given)));
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
    settings.forEach(setting -> setting.accept(appender));
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

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
import dev.forebay.LimitOptions;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import io.dropwizard.logging.common.FileAppenderFactory;
import io.dropwizard.logging.common.async.AsyncAppenderFactory;
import io.dropwizard.logging.common.filter.LevelFilterFactory;
import io.dropwizard.logging.common.layout.LayoutFactory;
import io.dropwizard.util.DataSize;
import io.dropwizard.validation.ValidationMethod;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
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

  @Nullable Boolean neverBlock;

  // Named like the setters; null by default, also with nothing after the colon.
  @JsonProperty @Nullable Integer ringBufferSize;
  @JsonProperty @Nullable DataSize ringBufferBytes;
  @JsonProperty @Nullable String appendTimeout;
  @JsonProperty @Nullable String maxFlushTime;
  @JsonProperty @Nullable String reportInterval;
  @JsonProperty @Nullable String urgentLevel;
  @JsonProperty @Nullable String threadNameFormat;
  @JsonProperty @Nullable String spoolDirectory;
  @JsonProperty @Nullable DataSize spoolSize;
  @JsonProperty @Nullable DataSize segmentSize;
  @JsonProperty @Nullable String fsync;
  @JsonProperty @Nullable String callerEncoding;
  @JsonProperty @Nullable String durability;
  @JsonProperty @Nullable String durabilityTimeout;
  @JsonProperty @Nullable String filePermissions;
  @JsonProperty @Nullable String overflowDirectory;
  @JsonProperty @Nullable DataSize overflowSize;
  @JsonProperty @Nullable String shipping;
  @JsonProperty @Nullable String shippingFallback;
  @JsonProperty @Nullable Boolean control;

  @JsonProperty
  @JsonSetter(nulls = Nulls.AS_EMPTY)
  @Nullable FlightRecorder flightRecorder;

  /** One limit or a list. */
  @JsonProperty
  @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
  @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.SKIP)
  private List<Limit> limit = List.of();

  @JsonProperty private @Nullable Redact redact;

  public ForebayAppenderFactory() {}

  /** Whether log calls may wait; see {@code appendTimeout}. */
  @Override
  public void setNeverBlock(boolean never) {
    neverBlock = never;
  }

  /** Hands each value that YAML has to the setter of the same name. */
  private static <T> T configured(T to, Object yaml) {
    for (Field field : yaml.getClass().getDeclaredFields()) {
      for (Method setter : to.getClass().getMethods()) {
        if (setter.getName().equalsIgnoreCase("set" + field.getName())) {
          set(to, setter, field, yaml);
        }
      }
    }
    return to;
  }

  private static void set(Object to, Method setter, Field field, Object yaml) {
    try {
      Object value = field.get(yaml);
      if (value instanceof FlightRecorder recorder) {
        setter.invoke(to, configured(new FlightRecorderOptions(), recorder));
      } else if (value != null) {
        setter.invoke(to, value instanceof DataSize size ? new FileSize(size.toBytes()) : value);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
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
    limit.forEach(one -> appender.addLimit(configured(new LimitOptions(), one)));
    if (redact != null) {
      appender.addRedact(redact.options());
    }
    return configured(appender, this);
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

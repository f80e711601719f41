package dev.forebay.redact;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A throwable whose messages are redacted, with those of its causes and suppressed ones. */
@SuppressWarnings("ReferenceEquality") // the same object: nothing was replaced
final class RedactedThrowable implements IThrowableProxy {

  private final IThrowableProxy thrown;
  private final @Nullable String message;
  private final @Nullable String shown;
  private final @Nullable IThrowableProxy cause;
  private final IThrowableProxy @Nullable [] suppressed;

  private RedactedThrowable(
      IThrowableProxy thrown,
      @Nullable String message,
      @Nullable String shown,
      @Nullable IThrowableProxy cause,
      IThrowableProxy @Nullable [] suppressed) {
    this.thrown = thrown;
    this.message = message;
    this.shown = shown;
    this.cause = cause;
    this.suppressed = suppressed;
  }

  /** The same one if nothing is to be replaced. */
  static IThrowableProxy of(IThrowableProxy thrown, UnaryOperator<String> texts) {
    String text = thrown.getMessage();
    String message = text == null ? null : texts.apply(text);
    String ofToString = shown(thrown);
    String shown = ofToString == null ? null : texts.apply(ofToString);
    IThrowableProxy of = thrown.getCause();
    IThrowableProxy cause = of == null ? null : of(of, texts);
    boolean isSame = message == text && shown == ofToString && cause == of;
    IThrowableProxy[] suppressed = thrown.getSuppressed();
    IThrowableProxy[] redacted = // of any class
        suppressed == null
            ? null
            : Arrays.copyOf(suppressed, suppressed.length, IThrowableProxy[].class);
    for (int i = 0; redacted != null && i < redacted.length; i++) {
      redacted[i] = of(suppressed[i], texts);
      isSame &= redacted[i] == suppressed[i];
    }
    return isSame ? thrown : new RedactedThrowable(thrown, message, shown, cause, redacted);
  }

  @Override
  public @Nullable String getMessage() {
    return message;
  }

  /** What its {@code toString()} says in place of class and message; null in an early Logback. */
  private static @Nullable String shown(IThrowableProxy thrown) {
    try {
      return thrown.getOverridingMessage();
    } catch (LinkageError e) {
      return null;
    }
  }

  @Override
  public @Nullable String getOverridingMessage() {
    return shown;
  }

  @Override
  public String getClassName() {
    return thrown.getClassName();
  }

  @Override
  public StackTraceElementProxy[] getStackTraceElementProxyArray() {
    return thrown.getStackTraceElementProxyArray();
  }

  @Override
  public int getCommonFrames() {
    return thrown.getCommonFrames();
  }

  @Override
  public @Nullable IThrowableProxy getCause() {
    return cause;
  }

  @Override
  public IThrowableProxy @Nullable [] getSuppressed() {
    return suppressed;
  }

  @Override
  public boolean isCyclic() {
    return thrown.isCyclic();
  }
}

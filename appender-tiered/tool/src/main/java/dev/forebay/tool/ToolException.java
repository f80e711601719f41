package dev.forebay.tool;

import java.io.Serial;

/** A verb cannot do what it was asked to; the message says why and what to write instead. */
final class ToolException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  final int exitCode;

  ToolException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  static ToolException notFound(String message) {
    return new ToolException(Main.NOT_FOUND, message);
  }

  static ToolException refused(String message) {
    return new ToolException(Main.REFUSED, message);
  }
}

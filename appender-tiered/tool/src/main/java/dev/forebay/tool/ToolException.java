package dev.forebay.tool;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

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

  /** For a process of another user; root can ask as that user. */
  static ToolException foreign(String what, Path path) throws IOException {
    Object user = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object group = Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS);
    return refused(
        "%s belongs to user %s; run this as that user; root writes: setpriv --reuid %s --regid %s --clear-groups java -jar forebay.jar …"
            .formatted(what, user, user, group));
  }

  static ToolException refused(String message) {
    return new ToolException(Main.REFUSED, message);
  }
}

package dev.forebay.tool;

/** What a verb's exit code means; {@code src/docs/tool.md} lists them for scripts. */
final class ExitCode {

  /** Done, and nothing is wrong. */
  static final int OK = 0;

  /** Done, and something is wrong: damage, a piece of advice, records that were left. */
  static final int FINDINGS = 1;

  /** The command line cannot be understood. Picocli uses this number too. */
  static final int USAGE = 2;

  /** There is no such log, spool, process or file. */
  static final int NOT_FOUND = 3;

  /** It exists, but may not be used: of another user, in use, in another format. */
  static final int REFUSED = 4;

  /** Reading or writing failed. */
  static final int FAILED = 5;

  /** Found nothing, but could not look at everything. */
  static final int INCOMPLETE = 6;

  private ExitCode() {}
}

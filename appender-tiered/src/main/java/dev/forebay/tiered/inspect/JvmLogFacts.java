package dev.forebay.tiered.inspect;

import dev.forebay.tiered.disk.LockOwner;
import java.nio.file.Path;

/**
 * What a JVM wrote to its own log, at a moment. How many records are not in the log yet is unknown:
 * some of these lines are in a spool.
 *
 * @param path the directory
 * @param owner the process whose JVM writes there
 * @param bytes length of the JVM's files
 */
public record JvmLogFacts(Path path, LockOwner owner, long bytes) {}

package dev.forebay.tool;

import java.nio.file.Path;
import java.util.List;

/**
 * What {@link JvmRules} judge of a running JVM and its machine.
 *
 * @param options the JVM's options, from its command line and environment
 * @param directory its working directory
 * @param perfData the file of its performance counters; "" if it has none
 * @param mounts the file systems it sees
 * @param memoryBytes size of its {@code /dev/shm}; 0 if that is not known
 * @param isSwapOn whether the machine swaps
 * @param removesIpc whether systemd removes what the user has in {@code /dev/shm} at logout
 */
record JvmFacts(
    List<String> options,
    Path directory,
    String perfData,
    MountPoints mounts,
    long memoryBytes,
    boolean isSwapOn,
    boolean removesIpc) {}

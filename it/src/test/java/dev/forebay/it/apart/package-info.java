/**
 * Applications that only spool, and a process that ships for them: the application never touches
 * the log's disk, and each of its lines is in the log once, whoever of the two ends when and how.
 */
@NullMarked
package dev.forebay.it.apart;

import org.jspecify.annotations.NullMarked;

/**
 * The seam for file input and output. The spool, the shipper and the durable log access files only
 * through {@link dev.forebay.tiered.disk.Disk}, so that a test can make the n-th call fail, write
 * short or run out of space.
 *
 * <p>Nothing enters or leaves; calls run on the calling thread and may block as long as the file
 * system does. Log calls write to segments on tmpfs or in the heap only, in their turn; with
 * durability also to those on a disk.
 */
@NullMarked
package dev.forebay.tiered.disk;

import org.jspecify.annotations.NullMarked;

/**
 * What the command line tool asks: which spools there are, what is in them, and to whom they
 * belong. Looks without locks at what live processes write; only {@link
 * dev.forebay.tiered.inspect.SpoolMove} and {@link dev.forebay.tiered.inspect.LogSpools#discard}
 * take locks and change something.
 *
 * <p>For the main thread of a process without appenders.
 */
@NullMarked
package dev.forebay.tiered.inspect;

import org.jspecify.annotations.NullMarked;

/**
 * A spool costs nobody anything but what is counted: damaged, full, small, in the heap, taken away,
 * or shared with strangers.
 */
package dev.forebay.it.spool;

/** Spools that are damaged, full, small, taken away, or shared with strangers. */
package dev.forebay.it.spool;

/**
 * No log call waits for the disk of the log, and no line is lost or torn by it: full, frozen,
 * failing, read-only, protected or without power.
 */
package dev.forebay.it.disk;

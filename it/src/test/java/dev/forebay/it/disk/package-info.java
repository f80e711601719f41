/** Disks of the log that are full, frozen, failing, read-only or without power. */
package dev.forebay.it.disk;

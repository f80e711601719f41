/**
 * What the scenarios share: child processes, places, mounts, configurations, and the one {@link
 * dev.forebay.it.support.Oracle} that judges what the log holds.
 */
package dev.forebay.it.support;

/** Logs that roll, by their policies and by others, and what becomes of the archives. */
package dev.forebay.it.rotation;

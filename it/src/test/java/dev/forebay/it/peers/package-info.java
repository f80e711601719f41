/**
 * Nothing that users report of other appenders happens with ours. Runs no peer: comparisons are
 * with what is compared.
 */
package dev.forebay.it.peers;

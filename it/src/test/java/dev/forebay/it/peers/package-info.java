/** What users report of Logback's own appenders, and that ours does better. */
package dev.forebay.it.peers;

/**
 * Every configuration works as the documents say or says what is wrong with it: dropped in for
 * another appender, taken from the examples, unusable, changed under load; and the documents name
 * what exists.
 */
package dev.forebay.it.configuration;

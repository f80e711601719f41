/**
 * Configurations as users write them: dropped in, taken from the examples, unusable, and changed
 * under load.
 */
package dev.forebay.it.configuration;

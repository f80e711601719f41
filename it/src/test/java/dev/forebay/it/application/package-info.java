/**
 * Applications that misbehave: encoders, listeners and callers that throw, hang or log themselves.
 */
package dev.forebay.it.application;

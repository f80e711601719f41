/**
 * Whatever the application does wrong costs at most its own event, and that is counted: encoders,
 * listeners, filters and values that throw, hang or log themselves; callers that are interrupted.
 */
package dev.forebay.it.application;

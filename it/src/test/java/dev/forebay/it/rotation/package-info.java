/**
 * A log is rolled as Logback rolls it and loses no line, whether its policies, other programs or
 * other appenders move it, and each archive is whole.
 */
package dev.forebay.it.rotation;

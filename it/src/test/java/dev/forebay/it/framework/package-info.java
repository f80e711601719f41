/**
 * In real applications, from the first line to the last, no event is lost: Spring Boot, Play,
 * Dropwizard, Ktor, Micronaut, with OpenTelemetry, beside an old Logback, and an application server
 * that redeploys.
 */
package dev.forebay.it.framework;

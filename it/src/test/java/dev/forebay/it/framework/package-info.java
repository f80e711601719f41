/**
 * In real applications, from the first line to the last, no event is lost: Spring Boot, Play, and
 * an application server that redeploys.
 */
package dev.forebay.it.framework;

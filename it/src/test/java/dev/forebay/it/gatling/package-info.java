/**
 * Requests do not wait for the disk of the log: Play and Spring Boot under Gatling, and Gatling.
 */
package dev.forebay.it.gatling;

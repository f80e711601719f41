/**
 * Requests of an application under load do not wait for the disk of its log: Play and Spring Boot
 * under Gatling, beside the appenders they have otherwise.
 */
package dev.forebay.it.gatling;

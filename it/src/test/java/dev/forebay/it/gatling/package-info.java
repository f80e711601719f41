/** Play and Spring Boot under the load of Gatling. */
package dev.forebay.it.gatling;

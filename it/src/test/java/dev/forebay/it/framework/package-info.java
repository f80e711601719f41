/** Real applications: Spring Boot, Play, and an application server that redeploys. */
package dev.forebay.it.framework;

/** Access logs of Tomcat and Jetty: each request has its line, and waits for no disk. */
package dev.forebay.it.access;

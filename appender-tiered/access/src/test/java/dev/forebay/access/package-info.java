/** Tests of the appenders for access logs. */
package dev.forebay.access;

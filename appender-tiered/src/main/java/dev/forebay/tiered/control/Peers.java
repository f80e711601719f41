package dev.forebay.tiered.control;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/**
 * Who may steer: our own user and root. The directory's mode admits nobody else either; the kernel
 * names the user of the process that connected.
 */
final class Peers {

  private static final int ROOT = 0;

  private final Set<UserPrincipal> admitted;

  /** In a field, so that a runtime without {@code jdk.net} fails before a socket is bound. */
  private final SocketOption<UnixDomainPrincipal> peer = ExtendedSocketOptions.SO_PEERCRED;

  /** These users, and nobody else. */
  Peers(Set<UserPrincipal> admitted) {
    this.admitted = admitted;
  }

  /** The user of this number, and root. */
  static Peers ofUser(int userId) throws IOException {
    return new Peers(userId == ROOT ? Set.of(user(ROOT)) : Set.of(user(ROOT), user(userId)));
  }

  /** Principals of one number are equal, whatever their names. */
  private static UserPrincipal user(int id) throws IOException {
    UserPrincipalLookupService users = Path.of("/").getFileSystem().getUserPrincipalLookupService();
    return users.lookupPrincipalByName(String.valueOf(id));
  }

  boolean admit(SocketChannel client) throws IOException {
    return admits(client.getOption(peer).user());
  }

  boolean admits(UserPrincipal user) {
    return admitted.contains(user);
  }
}

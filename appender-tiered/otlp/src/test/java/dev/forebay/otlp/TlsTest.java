package dev.forebay.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted, with authorities and certificates of one's own. */
@Tag("once")
class TlsTest {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /** Keys and certificates, signed by themselves, of a server, a client and another one. */
  @TempDir static Path keys;

  @TempDir Path spool;

  @BeforeAll
  static void makeKeys() throws Exception {
    for (String name : List.of("server", "client", "other")) {
      keytool(
          "-genkeypair",
          "-keyalg",
          "EC",
          "-alias",
          name,
          "-dname",
          "CN=" + name,
          "-ext",
          "san=dns:localhost",
          "-validity",
          "2",
          "-keystore",
          store(name).toString());
      keytool(
          "-exportcert",
          "-rfc",
          "-alias",
          name,
          "-keystore",
          store(name).toString(),
          "-file",
          certificate(name).toString());
      String base64 =
          Base64.getMimeEncoder().encodeToString(loaded(name).getKey(name, PASSWORD).getEncoded());
      Files.writeString(
          key(name), "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n");
    }
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storepass", new String(PASSWORD), "-storetype", "PKCS12"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  private static Path store(String name) {
    return keys.resolve(name + ".p12");
  }

  private static Path certificate(String name) {
    return keys.resolve(name + ".pem");
  }

  private static Path key(String name) {
    return keys.resolve(name + ".key");
  }

  private static KeyStore loaded(String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store(name))) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  private static Collector collector(boolean wantsCertificate) throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(loaded("server"), PASSWORD);
    KeyStore clients = KeyStore.getInstance("PKCS12");
    clients.load(null, null);
    clients.setCertificateEntry("client", loaded("client").getCertificate("client"));
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(clients);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return Collector.start(context, wantsCertificate);
  }

  private Shop shop(Collector collector, Path authority, String client) {
    return Shop.start(
        spool,
        to -> {
          to.setEndpoint(collector.endpoint());
          to.setCaCertificate(authority.toString());
          if (!client.isEmpty()) {
            to.setClientCertificate(certificate(client).toString());
            to.setClientKey(key(client).toString());
          }
        },
        Map.of());
  }

  @Test
  void anAuthorityOfOnesOwnIsTrusted() throws Exception {
    try (Collector collector = collector(false);
        Shop shop = shop(collector, certificate("server"), "")) {
      shop.log.info("x");
      collector.awaitRecords(1);
      assertThat(shop.problems()).isEmpty();
    }
  }

  @Test
  void anotherCertificateIsRefused() throws Exception {
    try (Collector collector = collector(false);
        Shop shop = shop(collector, certificate("other"), "")) {
      shop.log.info("x");
      shop.awaitProblem("SSLHandshakeException");
      assertThat(collector.requests()).isEmpty();
      assertThat(shop.account().dropped()).isZero();
    }
  }

  @Test
  void aClientShowsItsCertificate() throws Exception {
    try (Collector collector = collector(true);
        Shop shop = shop(collector, certificate("server"), "client")) {
      shop.log.info("x");
      collector.awaitRecords(1);
    }
  }

  @Test
  void aClientWithoutItIsRefusedAndItsEventsWait() throws Exception {
    try (Collector collector = collector(true);
        Shop shop = shop(collector, certificate("server"), "")) {
      shop.log.info("x");
      shop.awaitProblem("cannot write collector localhost:");
      assertThat(shop.account().inFlight()).isOne();
    }
  }

  /** Certificates end, and are renewed in their files. */
  @Test
  void aRenewedCertificateIsRead() throws Exception {
    Path authority = Files.copy(certificate("other"), keys.resolve("renewed.pem"));
    try (Collector collector = collector(false);
        Shop shop = shop(collector, authority, "")) {
      shop.log.info("x");
      shop.awaitProblem("SSLHandshakeException");
      Files.write(authority, Files.readAllBytes(certificate("server")));
      Files.setLastModifiedTime(authority, FileTime.fromMillis(1));
      collector.awaitRecords(1);
    }
  }

  @Test
  void filesThatCannotBeUsedAreNamed() throws Exception {
    try (Collector collector = collector(true)) {
      requireProblem(collector, key("client"), "has no certificate in PEM");
      requireProblem(collector, keys.resolve("none.pem"), "<caCertificate> cannot be read");
      Path old = keys.resolve("old.key");
      Files.writeString(old, "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----");
      try (Shop shop =
          Shop.start(
              spool,
              to -> {
                to.setEndpoint(collector.endpoint());
                to.setClientCertificate(certificate("client").toString());
                to.setClientKey(old.toString());
              },
              Map.of())) {
        shop.log.info("x");
        shop.awaitProblem("has no unencrypted \"PRIVATE KEY\": convert it with openssl pkcs8");
      }
    }
  }

  private void requireProblem(Collector collector, Path authority, String part) throws IOException {
    try (Shop shop = shop(collector, authority, "")) {
      shop.log.info("x");
      shop.awaitProblem(part);
    }
  }
}

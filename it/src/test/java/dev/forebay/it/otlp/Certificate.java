package dev.forebay.it.otlp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.forebay.host.Command;
import dev.forebay.it.support.Program;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;

/** A server's certificate that nobody else has signed, and its key, in PEM. */
record Certificate(Path certificate, Path key) {

  private static final String PASSWORD = "changeit";

  /** Makes one for this machine, in a directory. */
  static Certificate in(Path directory) throws Exception {
    Path store = directory.resolve("key.p12");
    Command.run(
        (Program.ofJdk("keytool")
                + " -genkeypair -keyalg EC -dname CN=localhost -ext san=dns:localhost -validity 2"
                + " -alias server -storepass "
                + PASSWORD
                + " -keystore "
                + store)
            .split(" ", -1));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Key key = keys.getKey("server", PASSWORD.toCharArray());
    return new Certificate(
        pem(directory, "CERTIFICATE", keys.getCertificate("server").getEncoded()),
        pem(directory, "PRIVATE KEY", key.getEncoded()));
  }

  private static Path pem(Path directory, String kind, byte[] content) throws Exception {
    String text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
    return Files.writeString(
        directory.resolve(kind.replace(' ', '-') + ".pem"),
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, text));
  }

  /** What a collector's HTTP server has to show it. */
  String tls() {
    return "tls: {cert_file: %s, key_file: %s}".formatted(certificate, key);
  }
}

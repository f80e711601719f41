package dev.forebay.it.kafka;

import dev.forebay.host.Command;
import dev.forebay.it.support.Program;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A broker's key, and what its clients trust.
 *
 * @param key a key store
 * @param trust a store with the certificate
 */
record Secrets(Path key, Path trust) {

  static final String PASSWORD = "changeit";

  /** Makes them, in a directory. */
  static Secrets in(Path directory) throws IOException {
    Secrets secrets = new Secrets(directory.resolve("key.p12"), directory.resolve("trust.p12"));
    Path certificate = directory.resolve("broker.crt");
    secrets.tool(
        secrets.key,
        "-genkeypair -keyalg EC -dname CN=broker -ext san=ip:127.0.0.1 -validity 2".split(" ", -1));
    secrets.tool(secrets.key, "-exportcert", "-file", certificate.toString());
    secrets.tool(secrets.trust, "-importcert", "-noprompt", "-file", certificate.toString());
    return secrets;
  }

  private void tool(Path store, String... order) throws IOException {
    String[] common = {"-alias", "broker", "-keystore", store.toString(), "-storepass", PASSWORD};
    String[] command = new String[1 + order.length + common.length];
    command[0] = Program.ofJdk("keytool");
    System.arraycopy(order, 0, command, 1, order.length);
    System.arraycopy(common, 0, command, 1 + order.length, common.length);
    Command.run(command);
  }

  /** Gives a broker its key. */
  void give(Broker broker) {
    broker.with("listener.name.secured.ssl.keystore.location", key);
    broker.with("listener.name.secured.ssl.keystore.password", PASSWORD);
  }
}

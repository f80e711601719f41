package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Whom a client trusts and as whom it comes, from files in PEM. For the shipper's thread. */
final class Certificates {

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private static final List<String> KEY_KINDS = List.of("RSA", "EC", "EdDSA");

  private Certificates() {}

  /** Null if the JVM's own is to be used. */
  static @Nullable SSLContext context(OtlpSettings settings) throws IOException {
    Path authority = settings.caCertificate();
    Path certificate = settings.clientCertificate();
    Path key = settings.clientKey();
    if (authority == null && certificate == null) {
      return null;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          certificate == null || key == null ? null : keyManagers(certificate, key),
          authority == null ? null : trustManagers(authority),
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificates cannot be used: " + e.getMessage());
    }
  }

  /** When each file was last changed; null for one that is not there. */
  static List<@Nullable FileTime> times(OtlpSettings settings) {
    List<@Nullable FileTime> times = new ArrayList<>();
    times.add(time(settings.caCertificate()));
    times.add(time(settings.clientCertificate()));
    times.add(time(settings.clientKey()));
    return times;
  }

  private static @Nullable FileTime time(@Nullable Path file) {
    try {
      return file == null ? null : Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return null;
    }
  }

  private static TrustManager[] trustManagers(Path file)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = emptyStore();
    for (Certificate each : certificates(file, "caCertificate")) {
      trusted.setCertificateEntry("ca" + trusted.size(), each);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  private static KeyManager[] keyManagers(Path certificate, Path key)
      throws GeneralSecurityException, IOException {
    Certificate[] chain =
        certificates(certificate, "clientCertificate").toArray(Certificate[]::new);
    KeyStore own = emptyStore();
    char[] none = {};
    own.setKeyEntry("client", key(key), none, chain);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(own, none);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<Certificate> certificates(Path file, String element)
      throws GeneralSecurityException, IOException {
    byte[] pem = read(file, element);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<Certificate> all =
          List.copyOf(factory.generateCertificates(new ByteArrayInputStream(pem)));
      if (!all.isEmpty()) {
        return all;
      }
    } catch (CertificateException e) {
      // As if there were none.
    }
    throw new IOException("<%s> %s has no certificate in PEM".formatted(element, file));
  }

  private static PrivateKey key(Path file) throws GeneralSecurityException, IOException {
    Matcher pem = KEY.matcher(new String(read(file, "clientKey"), US_ASCII));
    if (pem.find()) {
      try {
        byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
        for (String kind : KEY_KINDS) {
          try {
            return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(bytes));
          } catch (InvalidKeySpecException e) {
            // Of another kind.
          }
        }
      } catch (IllegalArgumentException e) {
        // As if there were none.
      }
    }
    throw new IOException(
        "<clientKey> %s has no unencrypted \"PRIVATE KEY\": convert it with openssl pkcs8 -topk8 -nodes"
            .formatted(file));
  }

  private static byte[] read(Path file, String element) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException("<%s> cannot be read: %s".formatted(element, e));
    }
  }
}

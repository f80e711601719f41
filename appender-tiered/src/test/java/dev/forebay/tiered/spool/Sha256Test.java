package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class Sha256Test {

  @Test
  void isThatOfTheJdkForEveryLengthOfPadding() throws Exception {
    MessageDigest jdk = MessageDigest.getInstance("SHA-256");
    Random random = new Random(1);
    for (int length = 0; length < 300; length++) {
      byte[] message = new byte[length];
      random.nextBytes(message);
      assertThat(Sha256.of(message)).as("%d bytes", length).isEqualTo(jdk.digest(message));
    }
  }
}

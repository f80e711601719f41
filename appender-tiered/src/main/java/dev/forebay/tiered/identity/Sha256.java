package dev.forebay.tiered.identity;

import java.nio.ByteBuffer;

/**
 * SHA-256 for names. The JDK's needs its security providers, and to start these takes longer than
 * to create a spool.
 */
public final class Sha256 {
  private static final int BLOCK_BYTES = 64;
  private static final int WORDS = 8;

  /** Fractions of the cube roots of the first 64 primes. */
  private static final int[] ROUNDS = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
  };

  /** Fractions of the square roots of the first 8 primes. */
  private static final int[] START = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
  };

  private Sha256() {}

  public static byte[] of(byte[] message) {
    int blocks = (message.length + 1 + Long.BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;
    ByteBuffer padded = ByteBuffer.allocate(blocks * BLOCK_BYTES);
    padded.put(message).put((byte) 0x80);
    padded.putLong(padded.capacity() - Long.BYTES, 8L * message.length);
    int[] hash = START.clone();
    for (int at = 0; at < padded.capacity(); at += BLOCK_BYTES) {
      add(hash, padded, at);
    }
    ByteBuffer bytes = ByteBuffer.allocate(WORDS * Integer.BYTES);
    for (int word : hash) {
      bytes.putInt(word);
    }
    return bytes.array();
  }

  private static void add(int[] hash, ByteBuffer source, int at) {
    int[] w = new int[ROUNDS.length];
    for (int i = 0; i < w.length; i++) {
      w[i] = i < 16 ? source.getInt(at + Integer.BYTES * i) : next(w, i);
    }
    int[] h = hash.clone();
    for (int i = 0; i < w.length; i++) {
      int e = h[4];
      int a = h[0];
      int s1 = Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25);
      int first = h[7] + s1 + (e & h[5] ^ ~e & h[6]) + ROUNDS[i] + w[i];
      int s0 = Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22);
      int second = s0 + (a & h[1] ^ a & h[2] ^ h[1] & h[2]);
      System.arraycopy(h, 0, h, 1, WORDS - 1);
      h[4] += first;
      h[0] = first + second;
    }
    for (int i = 0; i < WORDS; i++) {
      hash[i] += h[i];
    }
  }

  private static int next(int[] w, int i) {
    int early = w[i - 15];
    int late = w[i - 2];
    return w[i - 16]
        + (Integer.rotateRight(early, 7) ^ Integer.rotateRight(early, 18) ^ early >>> 3)
        + w[i - 7]
        + (Integer.rotateRight(late, 17) ^ Integer.rotateRight(late, 19) ^ late >>> 10);
  }
}

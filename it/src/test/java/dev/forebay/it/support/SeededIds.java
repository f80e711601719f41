package dev.forebay.it.support;

import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.HexFormat;
import java.util.Random;

/**
 * Gives a process random numbers that follow from a name, so that its spools have the same names in
 * every run and strace can be told about them. Two processes with the same name must not meet in
 * one spool directory.
 */
public final class SeededIds {

  /** The variable of the environment that holds the name. */
  private static final String VARIABLE = "FOREBAY_IT_IDS";

  private SeededIds() {}

  /** A command that runs another with ids that follow from a name. */
  public static String[] named(String name) {
    return new String[] {"env", VARIABLE + "=" + name};
  }

  /** In a process that was started so: makes it true. */
  public static void installIfWanted() {
    String name = System.getenv(VARIABLE);
    if (name != null) {
      Seeded.seed(name);
      Security.insertProviderAt(new Seeds(), 1);
    }
  }

  /** The id of the first spool of a process with this name. */
  public static String firstOf(String name) {
    // As InstanceId draws it: two longs, each the sum of two ints as SecureRandom makes them.
    Random random = seeded(name);
    HexFormat hex = HexFormat.of();
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < 2; i++) {
      long high = (long) nextInt(random) << Integer.SIZE;
      id.append(hex.toHexDigits(high + nextInt(random)));
    }
    return id.toString();
  }

  private static int nextInt(Random random) {
    int value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value = (value << Byte.SIZE) + (random.nextInt() & 0xff);
    }
    return value;
  }

  private static Random seeded(String name) {
    long seed = 1;
    for (byte letter : name.getBytes(StandardCharsets.UTF_8)) {
      seed = 31 * seed + letter;
    }
    return new Random(seed);
  }

  /** The provider asked first. */
  private static final class Seeds extends Provider {
    private static final long serialVersionUID = 1;

    Seeds() {
      super("Seeds", "1", "random numbers that follow from a name");
      put("SecureRandom.Seeded", Seeded.class.getName());
    }
  }

  /** Public for the provider. */
  public static final class Seeded extends SecureRandomSpi {
    private static final long serialVersionUID = 1;

    private static Random random = new Random(0);

    /** One of the process's generators, which all draw from the same numbers. */
    public Seeded() {}

    public static synchronized void seed(String name) {
      random = seeded(name);
    }

    private static synchronized void fill(byte[] bytes) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextInt();
      }
    }

    @Override
    protected void engineSetSeed(byte[] seed) {
      // the name decides
    }

    @Override
    protected void engineNextBytes(byte[] bytes) {
      fill(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] seed = new byte[count];
      fill(seed);
      return seed;
    }
  }
}

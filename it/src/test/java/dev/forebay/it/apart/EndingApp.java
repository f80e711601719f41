package dev.forebay.it.apart;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Tiered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program that logs, waits for the end of its input, and ends. */
final class EndingApp {

  /** Says that all is logged. */
  static final String LOGGED = "logged";

  /** Before its account. */
  static final String ACCOUNT = "account ";

  private EndingApp() {}

  /**
   * Starts one.
   *
   * @param around a command that takes its command as arguments, or nothing
   */
  static Program start(
      Path directory, List<String> around, String name, long messages, String end, String xml)
      throws IOException {
    Path configuration = Files.writeString(directory.resolve("logback.xml"), xml);
    List<String> command = new ArrayList<>(around);
    command.add(Program.ofJdk("java"));
    command.addAll(Program.QUICK);
    command.addAll(Child.archive());
    command.addAll(List.of("-Xmx64m", "-cp", Child.classPath(), EndingApp.class.getName()));
    command.addAll(List.of(configuration.toString(), name, "" + messages, end));
    return Program.start(directory, command);
  }

  /**
   * Logs and ends.
   *
   * @param args the configuration, with an appender or without one; name of the producer; number of
   *     messages; how to end: "exit" or "stop", which also tells the account
   */
  public static void main(String[] args) throws Exception {
    Tiered tiered = Tiered.configured(Files.readString(Path.of(args[0])));
    tiered.log(args[1], 0, Long.parseLong(args[2]));
    System.out.println(LOGGED);
    byte[] unused = System.in.readAllBytes();
    if (args[3].equals("exit")) {
      System.exit(0);
    }
    var appender = tiered.appender();
    tiered.close();
    System.out.println(ACCOUNT + appender.snapshot());
    tiered.problems().forEach(System.out::println);
  }
}

package dev.forebay.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a JVM was told by its command line and its environment.
 *
 * @param options those of the JVM, not the arguments of its program, in the order in which it
 *     applies them
 * @param unseen what else it was told, in places that are not looked at
 * @param program its main class or jar; "" if unknown
 */
record JvmCommand(List<String> options, List<String> unseen, String program) {

  private static final Pattern TAKES_THE_NEXT_WORD =
      Pattern.compile(
          "-cp|-p|-classpath|--(class|module|upgrade-module)-path|--(add|limit)-modules"
              + "|--add-(exports|opens|reads)|--patch-module|--enable-native-access|--source");
  private static final Set<String> ARE_FOLLOWED_BY_THE_PROGRAM = Set.of("-jar", "-m", "--module");
  private static final Pattern FILE_OF_OPTIONS =
      Pattern.compile("(?:@|-XX:(?:Flags|VMOptionsFile)=)(.+)");
  private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+");

  /**
   * Reads both, as {@code /proc} has them.
   *
   * @param environment variables that end with a NUL each
   */
  static JvmCommand of(List<String> commandLine, String environment) {
    JvmCommand told = new JvmCommand(new ArrayList<>(), new ArrayList<>(), "");
    told.addVariable(environment, "JAVA_TOOL_OPTIONS=");
    told.addVariable(environment, "JDK_JAVA_OPTIONS=");
    String program = "";
    if (commandLine.get(0).matches("(.*/)?java")) {
      program = told.addCommandLine(commandLine);
    } else {
      told.unseen.add("the JVM's options, since it was started by " + commandLine.get(0));
    }
    told.addVariable(environment, "_JAVA_OPTIONS=");
    return new JvmCommand(told.options, told.unseen, program);
  }

  private void addVariable(String environment, String name) {
    for (String variable : environment.split("\0", -1)) {
      if (variable.startsWith(name)) {
        Matcher words = WORD.matcher(variable.substring(name.length()));
        while (words.find()) {
          add(words.group().replaceAll("[\"']", ""));
        }
      }
    }
  }

  private String addCommandLine(List<String> words) {
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (ARE_FOLLOWED_BY_THE_PROGRAM.contains(word) && i + 1 < words.size()) {
        word = words.get(i + 1);
        return word.substring(word.lastIndexOf('/') + 1);
      }
      if (!word.startsWith("-") && !word.startsWith("@")) {
        return word.substring(word.lastIndexOf('/') + 1);
      }
      add(word);
      if (TAKES_THE_NEXT_WORD.matcher(word).matches()) {
        i++;
      }
    }
    return "";
  }

  private void add(String option) {
    Matcher elsewhere = FILE_OF_OPTIONS.matcher(option);
    if (elsewhere.matches()) {
      unseen.add("the JVM's options in the file " + elsewhere.group(1));
    } else {
      options.add(option);
    }
  }
}

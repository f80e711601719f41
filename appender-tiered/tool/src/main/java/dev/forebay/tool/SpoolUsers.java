package dev.forebay.tool;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The users that have directories for spools below some others. Opens none of these. */
final class SpoolUsers {

  /**
   * A user.
   *
   * @param name as messages have it
   * @param isKnown whether the system has an account of that number
   * @param group of the first directory: the main one of the process that made it
   * @param directories of this user, which hold spools
   */
  record User(int id, String name, boolean isKnown, int group, List<Path> directories) {}

  private static final Pattern NAME = Pattern.compile("forebay-(\\d{1,10})(-[0-9a-f]{16})?");
  private static final String ATTRIBUTES = "unix:uid,gid,mode,owner";
  private static final int KIND = 0170000;
  private static final int DIRECTORY = 0040000;
  private static final int RIGHTS = 0777;
  private static final int PRIVATE = 0700;

  /** Messages about names that others can make, in all. */
  private static final int MAX_TOLD = 100;

  private final List<Path> bases;
  private final Consumer<String> messages;
  private final Set<Path> told = new HashSet<>();

  SpoolUsers(List<Path> bases, Consumer<String> messages) {
    this.bases = bases;
    this.messages = messages;
  }

  /** By user id, without root. */
  Map<Integer, User> look() {
    Map<Integer, User> users = new TreeMap<>();
    for (Path base : bases) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(base, "forebay-*")) {
        for (Path entry : entries) {
          look(entry, users);
        }
      } catch (IOException | DirectoryIteratorException e) {
        tell(base, "cannot look for users in " + base + ": " + e);
      }
    }
    return users;
  }

  private void look(Path entry, Map<Integer, User> users) throws IOException {
    Matcher name = NAME.matcher(String.valueOf(entry.getFileName()));
    if (!name.matches()) {
      return;
    }
    int user;
    int mode;
    int group;
    String owner;
    try {
      Map<String, Object> found =
          Files.readAttributes(entry, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
      user = number(found, "uid");
      mode = number(found, "mode");
      group = number(found, "gid");
      owner = String.valueOf(found.get("owner"));
    } catch (FileSystemException e) {
      return; // it has just gone
    }
    String fault =
        (mode & KIND) != DIRECTORY
            ? "is no directory"
            : !name.group(1).equals(Integer.toString(user))
                ? "belongs to user " + user
                : (mode & RIGHTS) != PRIVATE
                    ? "has mode %04o instead of 0700".formatted(mode & RIGHTS)
                    : "";
    if (!fault.isEmpty()) {
      tell(entry, "left out " + entry + ", which " + fault + ": nothing in it is shipped");
    } else if (user != 0) {
      boolean isKnown = !owner.equals(name.group(1));
      users
          .computeIfAbsent(
              user,
              id ->
                  new User(
                      id,
                      isKnown ? id + " (" + owner + ")" : name.group(1),
                      isKnown,
                      group,
                      new ArrayList<>()))
          .directories()
          .add(entry.toAbsolutePath().normalize());
    }
  }

  private static int number(Map<String, Object> found, String name) {
    return (Integer) Objects.requireNonNull(found.get(name));
  }

  private void tell(Path path, String text) {
    if (told.size() < MAX_TOLD && told.add(path)) {
      messages.accept(text);
    }
  }
}

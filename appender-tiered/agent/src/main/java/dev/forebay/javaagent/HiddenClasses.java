package dev.forebay.javaagent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Loads what lies in a directory of the agent's jar, where no loader of the application looks. A
 * {@code URLClassLoader} could, but needs four times as long for a class in such a place.
 */
final class HiddenClasses extends ClassLoader {

  private static final String DIRECTORY = "forebay/";

  private final URL location;
  private final JarFile jar;

  HiddenClasses() throws IOException, URISyntaxException {
    super("forebay-agent", getPlatformClassLoader());
    location = Agent.class.getProtectionDomain().getCodeSource().getLocation();
    jar = new JarFile(new File(location.toURI()), false);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ZipEntry entry = jar.getEntry(DIRECTORY.concat(name.replace('.', '/')).concat(".class"));
    if (entry == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = jar.getInputStream(entry)) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  @Override
  protected @Nullable URL findResource(String name) {
    try {
      return jar.getEntry(DIRECTORY.concat(name)) == null
          ? null
          : new URL("jar:" + location.toString().replace("!", "%21") + "!/" + DIRECTORY + name);
    } catch (MalformedURLException e) {
      return null;
    }
  }
}

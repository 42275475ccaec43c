package io.arraywire.testkit.simulation;

import io.arraywire.engine.Engine;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * All classes of this library and of the simulation once more, one class of the engine with a
 * {@link Plant} in it: its source is changed, compiled and loaded in place of the class.
 */
final class PlantedClasses extends ClassLoader {
  private static final String OURS = "io.arraywire.";

  private final Map<String, byte[]> changed;

  private PlantedClasses(Map<String, byte[]> changed) {
    super(PlantedClasses.class.getClassLoader());
    this.changed = changed;
  }

  /** Plants a bug; sources of the engine are below a directory. */
  static PlantedClasses with(Plant plant, Path sources) throws IOException {
    Path file = sources.resolve("io/arraywire/engine/" + plant.source() + ".java");
    String text = Files.readString(file);
    int at = text.indexOf(plant.text());
    if (at < 0 || text.indexOf(plant.text(), at + 1) >= 0) {
      throw new IllegalStateException(
          "the plant's text is not there exactly once; find its new place (plant="
              + plant
              + ", source="
              + file
              + ")");
    }
    String bad =
        text.substring(0, at) + plant.replacement() + text.substring(at + plant.text().length());
    return new PlantedClasses(compiled(plant, bad));
  }

  private static Map<String, byte[]> compiled(Plant plant, String text) throws IOException {
    Path directory = Files.createTempDirectory("planted");
    try {
      Path source = directory.resolve(Path.of(plant.source()).getFileName() + ".java");
      Files.writeString(source, text);
      StringWriter problems = new StringWriter();
      // Not by javax.tools, whose module this one does not read.
      int result =
          ToolProvider.findFirst("javac")
              .orElseThrow()
              .run(
                  new PrintWriter(problems),
                  new PrintWriter(problems),
                  "-proc:none",
                  "-nowarn",
                  "--release",
                  "17",
                  "-classpath",
                  classPath(),
                  "-d",
                  directory.toString(),
                  source.toString());
      if (result != 0) {
        throw new IllegalStateException("the plant does not compile: " + plant + ": " + problems);
      }
      Map<String, byte[]> all = new TreeMap<>();
      Path classes = directory.resolve("io/arraywire/engine/" + plant.source()).getParent();
      String home = directory.relativize(classes).toString().replace(File.separatorChar, '.') + ".";
      try (DirectoryStream<Path> made = Files.newDirectoryStream(classes, "*.class")) {
        for (Path each : made) {
          String name = each.getFileName().toString();
          all.put(home + name.substring(0, name.lastIndexOf('.')), Files.readAllBytes(each));
        }
      }
      return all;
    } finally {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  /** What the engine was compiled with. Surefire may keep the class path in a jar of its own. */
  private static String classPath() {
    String own = System.getProperty("surefire.test.class.path");
    String path = own == null ? System.getProperty("java.class.path") : own;
    String engine =
        Path.of(URI.create(Engine.class.getProtectionDomain().getCodeSource().getLocation() + ""))
            .toString();
    return engine + File.pathSeparator + path;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = changed.get(name);
    if (bytes == null) {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        bytes = in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
    return defineClass(name, bytes, 0, bytes.length, getClass().getProtectionDomain());
  }

  /** What a seed finds with the bug: the first violation, or nothing. */
  String violation(long seed) throws ReflectiveOperationException {
    Class<?> simulation = loadClass(Simulation.class.getName());
    return (String) simulation.getMethod("violation", long.class).invoke(null, seed);
  }
}

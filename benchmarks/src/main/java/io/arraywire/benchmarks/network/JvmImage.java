package io.arraywire.benchmarks.network;

import io.arraywire.examples.process.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.OneShotStartupCheckStrategy;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * An image with this JVM's class path and a Java to run it, built here. It is built from scratch
 * with a runtime made of this Java, for which nothing is pulled. Or it is built from an image that
 * has {@code java}, which the engine may have to pull.
 *
 * @param name what the engine calls it
 * @param feature the feature release of its Java
 * @param classPath the class path in it
 * @param files where it has other builds of this program, and data
 */
record JvmImage(String name, int feature, String classPath, Map<Path, String> files) {
  private static final String CLASSES = "/app";
  private static final double MEGA = 1e6;

  /** The first line that {@code java -version} prints, of whatever maker. */
  private static final Pattern VERSION = Pattern.compile("version \"(\\d+)");

  /**
   * Builds one.
   *
   * @param baseImage what it is made from; null for nothing but a runtime of this Java
   * @param others other builds of this program that it has, too, and data
   * @param objects what it becomes one of
   * @param says told what is built
   */
  static JvmImage build(
      @Nullable String baseImage, List<Path> others, EngineObjects objects, Consumer<String> says)
      throws IOException {
    ImageFromDockerfile image =
        new ImageFromDockerfile()
            .withBuildImageCmdModifier(
                command -> command.withLabels(objects.label(command.getLabels())));
    List<Path> own =
        Arrays.stream(ChildJvm.ownClassPath().split(File.pathSeparator, -1)).map(Path::of).toList();
    String classPath = String.join(":", addFiles(image, "own", own).values());
    Map<Path, String> files = addFiles(image, "other", others);
    if (baseImage != null) {
      image.withFileFromString(
          "Dockerfile",
          "FROM " + baseImage + "\nCOPY app " + CLASSES + "\nENTRYPOINT [\"java\"]\n");
      says.accept("building an image from " + baseImage);
      String name = built(image);
      return new JvmImage(name, feature(name, objects), classPath, files);
    }
    Path directory = Files.createTempDirectory("arraywire-image");
    Cleanup cleanup = new Cleanup("delete-image-files", () -> delete(directory));
    try {
      says.accept("building an image from scratch: runtime, C libraries, class path");
      JavaRuntime runtime = JavaRuntime.link(directory.resolve("runtime"));
      image.withFileFromPath("runtime", runtime.directory());
      for (Path library : runtime.libraries()) {
        image.withFileFromPath("libraries" + library, library.toRealPath());
      }
      image.withFileFromString(
          "Dockerfile",
          "FROM scratch\nCOPY runtime /opt/java\nCOPY libraries /\nCOPY app "
              + CLASSES
              + "\nENTRYPOINT [\"/opt/java/bin/java\"]\n");
      String name = built(image);
      says.accept(
          String.format(
              Locale.ROOT,
              "built an image from scratch (runtime=%.0f MB, libraries=%s)",
              runtime.bytes() / MEGA,
              runtime.libraries()));
      return new JvmImage(name, Runtime.version().feature(), classPath, files);
    } finally {
      cleanup.close();
    }
  }

  private static void delete(Path directory) {
    // Ctrl-C ends it, too, but SIGTERM does not, and it would go on writing.
    ProcessHandle.current()
        .children()
        .filter(each -> each.info().command().orElse("").endsWith("jlink"))
        .forEach(each -> {
          each.destroyForcibly();
          each.onExit().join();
        });
    try {
      JavaRuntime.delete(directory);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("files of an image are left behind (directory=" + directory + ")");
    }
  }

  /** Files and directories, each under its number, for two may have the same name. */
  private static Map<Path, String> addFiles(
      ImageFromDockerfile image, String directory, List<Path> paths) {
    Map<Path, String> places = new LinkedHashMap<>();
    for (Path path : paths) {
      if (Files.exists(path)) {
        String inside = "/" + directory + "/" + places.size() + "-" + path.getFileName();
        image.withFileFromPath("app" + inside, path.toAbsolutePath());
        places.put(path, CLASSES + inside);
      }
    }
    return places;
  }

  private static String built(ImageFromDockerfile image) throws IOException {
    try {
      return image.get();
    } catch (RuntimeException e) {
      throw new IOException("the image cannot be built: " + Failures.words(e), e);
    }
  }

  private static int feature(String image, EngineObjects objects) throws IOException {
    try (GenericContainer<?> container =
        new GenericContainer<>(image)
            .withCommand("-version")
            .withLabels(objects.label(null))
            .withStartupCheckStrategy(new OneShotStartupCheckStrategy())) {
      container.start();
      Matcher version = VERSION.matcher(container.getLogs());
      if (!version.find()) {
        throw new IOException(
            "the base image's java does not say its version (said=" + container.getLogs() + ")");
      }
      return Integer.parseInt(version.group(1));
    } catch (RuntimeException e) {
      throw new IOException("the base image's java does not start: " + Failures.words(e), e);
    }
  }

  /** Where it has a file that it was built with. */
  String path(Path file) {
    String place = files.get(file);
    if (place == null) {
      throw new IllegalArgumentException(
          "the image was built without this file (file=" + file + ")");
    }
    return place;
  }

  /** What follows {@code java} in a container of this image. */
  List<String> arguments(
      String itsClassPath, Class<?> main, long heapBytes, List<String> jvmOptions) {
    return ChildJvm.arguments(feature, itsClassPath, main, heapBytes, jvmOptions);
  }
}

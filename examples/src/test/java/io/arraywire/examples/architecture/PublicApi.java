package io.arraywire.examples.architecture;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.AccessModifier;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javassist.bytecode.AccessFlag;
import javassist.bytecode.ClassFile;

/**
 * What users can compile against: the classes of some modules as a jar of outlines, which hold
 * public and protected members and no code.
 */
final class PublicApi {
  /** Neither code nor what only the JVM and debuggers read; javassist cannot copy the last two. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "SourceFile",
          "BootstrapMethods",
          "NestHost",
          "NestMembers",
          "EnclosingMethod",
          "PermittedSubclasses",
          "Record");

  private PublicApi() {}

  /**
   * Outlines the classes that stand beside some.
   *
   * @param anchors a class of each module
   * @return a jar; the same bytes for the same API
   */
  static byte[] outline(List<Class<?>> anchors) throws Exception {
    SortedMap<String, byte[]> outlines = new TreeMap<>();
    for (Class<?> anchor : anchors) {
      Path place = Path.of(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        add(place, outlines);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
          add(jar.getPath("/"), outlines);
        }
      }
    }
    return jar(outlines);
  }

  private static void add(Path root, SortedMap<String, byte[]> outlines) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files =
          all.filter(file -> file.toString().endsWith(".class"))
              .filter(file -> !file.getFileName().toString().contains("-info."))
              .filter(file -> !root.relativize(file).startsWith("META-INF"))
              .toList();
    }
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        ClassFile type = new ClassFile(new DataInputStream(in));
        if (!type.getName().matches(".*\\$\\d+.*")) {
          outlines.put(type.getName().replace('.', '/') + ".class", outline(type));
        }
      }
    }
  }

  private static byte[] outline(ClassFile type) throws IOException {
    type.getMethods().removeIf(method -> hidden(method.getAccessFlags()));
    type.getFields().removeIf(field -> hidden(field.getAccessFlags()));
    type.getMethods().forEach(method -> method.removeCodeAttribute());
    type.getAttributes().removeIf(attribute -> LEFT_OUT.contains(attribute.getName()));
    type.compact();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    type.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static boolean hidden(int flags) {
    return (flags & (AccessFlag.PUBLIC | AccessFlag.PROTECTED)) == 0;
  }

  private static byte[] jar(SortedMap<String, byte[]> outlines) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream jar = new ZipOutputStream(bytes)) {
      jar.setLevel(9);
      for (var outline : outlines.entrySet()) {
        ZipEntry entry = new ZipEntry(outline.getKey());
        entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
        jar.putNextEntry(entry);
        jar.write(outline.getValue());
      }
    }
    return bytes.toByteArray();
  }

  /**
   * Compares two.
   *
   * @param described as it was
   * @param now as it is
   * @return what a program that was compiled before would miss, or could no longer be compiled with
   */
  static List<String> broken(byte[] described, byte[] now) {
    JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
    options.setAccessModifier(AccessModifier.PROTECTED);
    // Those of JSpecify and Netty, which users of the API need not have.
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    List<String> broken = new ArrayList<>();
    for (JApiClass type :
        new JarArchiveComparator(options)
            .compare(
                new JApiCmpArchive(described, "described", "described"),
                new JApiCmpArchive(now, "now", "now"))) {
      String name = type.getFullyQualifiedName();
      add(name, type, broken);
      add(name + " extends", type.getSuperclass(), broken);
      type.getInterfaces()
          .forEach(each -> add(name + " implements " + each.getFullyQualifiedName(), each, broken));
      type.getFields().forEach(each -> add(name + "." + each.getName(), each, broken));
      type.getConstructors().forEach(each -> add(name + "." + call(each), each, broken));
      type.getMethods().forEach(each -> add(name + "." + call(each), each, broken));
    }
    return broken;
  }

  private static String call(JApiBehavior behavior) {
    return behavior.getName()
        + behavior.getParameters().stream()
            .map(parameter -> parameter.getType())
            .collect(Collectors.joining(", ", "(", ")"));
  }

  private static void add(String name, JApiCompatibility part, List<String> broken) {
    part.getCompatibilityChanges().stream()
        .filter(change -> !change.isBinaryCompatible() || !change.isSourceCompatible())
        .map(change -> name + ": " + change.getType())
        .forEach(broken::add);
  }
}

package io.arraywire.examples.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The programs to read stand apart from the command line, which is in the packages below. */
@Tag("newest")
class ExamplesArchitectureTest {
  private static final String PROGRAMS = "io.arraywire.examples";

  private static JavaClasses examples;

  @BeforeAll
  static void read() {
    examples =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(PROGRAMS);
  }

  /** So that one can be copied out of here. */
  @Test
  void aProgramNeedsTheLibraryOnly() {
    classes()
        .that()
        .resideInAPackage(PROGRAMS)
        .should()
        .onlyDependOnClassesThat(
            resideInAPackage("java..")
                .or(resideInAPackage("org.jspecify.."))
                .or(resideInAPackage(PROGRAMS))
                .or(resideInAPackage("io.arraywire..").and(isOfTheLibrary()))
                .or(isArrayOfPrimitives()))
        .check(examples);
  }

  private static DescribedPredicate<JavaClass> isOfTheLibrary() {
    return DescribedPredicate.not(resideInAPackage(PROGRAMS + ".."));
  }

  private static DescribedPredicate<JavaClass> isArrayOfPrimitives() {
    return DescribedPredicate.describe(
        "primitive arrays", type -> type.getBaseComponentType().isPrimitive());
  }

  @Test
  void theCommandNeedsNoProgram() {
    noClasses()
        .that()
        .resideInAPackage(PROGRAMS + ".(*)..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(PROGRAMS)
        .check(examples);
  }

  @Test
  void theReadmeListsEveryProgram() throws Exception {
    String readme =
        Files.readString(Path.of(System.getProperty("basedir", ".")).resolve("README.md"));
    List<String> programs =
        examples.stream()
            .filter(type -> type.getPackageName().equals(PROGRAMS))
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .map(JavaClass::getSimpleName)
            .toList();
    assertThat(programs).hasSizeGreaterThanOrEqualTo(10);
    assertThat(programs)
        .allSatisfy(program -> assertThat(readme).contains("examples/" + program + ".java)"));
  }
}

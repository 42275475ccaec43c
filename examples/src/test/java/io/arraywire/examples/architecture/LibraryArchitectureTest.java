package io.arraywire.examples.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import java.io.ObjectInputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the library modules must never do, looked up in their class files. */
@Tag("newest")
class LibraryArchitectureTest {
  static final String[] LIBRARY = {
    "io.arraywire",
    "io.arraywire.codec..",
    "io.arraywire.engine..",
    "io.arraywire.frame..",
    "io.arraywire.memory..",
    "io.arraywire.message..",
    "io.arraywire.security..",
    "io.arraywire.source..",
    "io.arraywire.spi..",
    "io.arraywire.wire..",
    "io.arraywire.stream..",
    "io.arraywire.nio..",
    "io.arraywire.micrometer..",
    "io.arraywire.client..",
    "io.arraywire.compression..",
    "io.arraywire.kafka.."
  };

  /** The packages of transport-api. */
  private static final String[] API = {
    "io.arraywire",
    "io.arraywire.codec..",
    "io.arraywire.frame..",
    "io.arraywire.message..",
    "io.arraywire.security..",
    "io.arraywire.source..",
    "io.arraywire.spi.."
  };

  /** Annotations for Error Prone, which are needed neither at run time nor by users' compilers. */
  private static final String LOCKS = "com.google.errorprone.annotations.concurrent";

  /** Those of transport-engine that it does without sockets. */
  private static final String[] ENGINE = {"io.arraywire.engine..", "io.arraywire.wire.."};

  private static JavaClasses library;

  @BeforeAll
  static void read() {
    library =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.arraywire")
            .that(
                resideInAnyPackage(LIBRARY).and(not(resideInAPackage("io.arraywire.wire.proto"))));
    // An import that found nothing would let every rule pass.
    assertThat(library.stream().map(type -> type.getPackageName()).distinct())
        .contains(
            "io.arraywire",
            "io.arraywire.engine",
            "io.arraywire.stream",
            "io.arraywire.nio",
            "io.arraywire.micrometer",
            "io.arraywire.client",
            "io.arraywire.compression",
            "io.arraywire.kafka");
  }

  @Test
  void nobodyDeserializesWhatAPeerSends() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .check(library);
  }

  /** Files aside, which hold elements as memory does. */
  @Test
  void theApiKnowsNeitherChannelsNorSocketsNorNetty() {
    noClasses()
        .that(resideInAnyPackage(API).or(resideInAnyPackage(ENGINE)))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "java.nio.channels..",
                    "io.netty..",
                    "io.arraywire.nio..",
                    "io.arraywire.stream..")
                .and(not(type(FileChannel.class))))
        .check(library);
    // The JDK's trust managers have methods for sockets, which one that wraps another must
    // override.
    noClasses()
        .that(resideInAnyPackage(API).or(resideInAnyPackage(ENGINE)))
        .and()
        .doNotHaveSimpleName("PeerTrust")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.net\\.(Server)?Socket")
        .check(library);
  }

  /** In place of javac's lint "exports", which rejects annotations, too; see the parent POM. */
  @Test
  void whatIsShownCanBeSeen() {
    List<String> hidden =
        library.stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(method ->
                Stream.concat(
                        Stream.of(method.getRawReturnType()),
                        method.getRawParameterTypes().stream())
                    .map(JavaClass::getBaseComponentType)
                    .filter(type -> !type.isPrimitive())
                    .filter(type ->
                        !type.getPackageName()
                            .matches(
                                "java\\..*|javax\\.net\\.ssl|io\\.arraywire(\\.\\w+)?|io\\.micrometer\\..*|org\\.apache\\.kafka\\..*"))
                    .map(type -> method.getFullName() + " shows " + type.getName()))
            .toList();
    assertThat(hidden).isEmpty();
  }

  /** Annotations aside, which are not needed at run time. */
  @Test
  void theApiNeedsTheJdkOnly() {
    classes()
        .that()
        .resideInAnyPackage(API)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(API)
                .or(
                    resideInAnyPackage(
                        "java..",
                        "javax.net.ssl",
                        "javax.security.auth.x500",
                        LOCKS,
                        "org.jspecify.."))
                .or(isArrayOfPrimitives()))
        .check(library);
  }

  /** A serializer that uses it should bring neither protobuf nor the engine. */
  @Test
  void messagesAreValuesAndNothingMore() {
    JavaClasses messages = library.that(resideInAPackage("io.arraywire.message.."));
    assertThat(messages).isNotEmpty();
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                    "java.lang..",
                    "java.nio",
                    "java.nio.charset..",
                    "java.util..",
                    "org.jspecify..",
                    "io.arraywire",
                    "io.arraywire.codec..",
                    "io.arraywire.frame..",
                    "io.arraywire.message..",
                    "io.arraywire.spi..")
                .or(isArrayOfPrimitives()))
        .check(messages);
  }

  private static DescribedPredicate<JavaClass> isArrayOfPrimitives() {
    return DescribedPredicate.describe(
        "primitive arrays", type -> type.getBaseComponentType().isPrimitive());
  }

  /** With whatever parameters, and through a subclass, which is what a call then names. */
  private static DescribedPredicate<JavaCall<?>> calls(Class<?> owner, String method) {
    return target(name(method))
        .<JavaCall<?>>forSubtype()
        .and(target(owner(assignableTo(owner))))
        .as("%s.%s is called", owner.getSimpleName(), method);
  }

  /**
   * A clock that is set must not end anything: of {@code java.time} there is nothing but durations,
   * and the zone that the JDK's logger looks for. Certificates are valid from one date to another,
   * which a text about one names.
   */
  @Test
  void timeIsMonotonic() {
    noClasses()
        .that()
        .doNotHaveSimpleName("PeerTrust")
        .and()
        .doNotHaveSimpleName("SessionCertificates")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(LockSupport.class, "parkUntil", long.class)
        .orShould()
        .callMethod(LockSupport.class, "parkUntil", Object.class, long.class)
        .orShould()
        .dependOnClassesThat(
            resideInAPackage("java.time")
                .and(not(type(Duration.class)))
                .and(not(type(ZoneId.class))))
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.Date.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.Calendar.class)
        .check(library);
  }

  @Test
  void nothingIsPrintedAndNothingExits() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethodWhere(calls(Throwable.class, "printStackTrace"))
        .check(library);
  }

  /** Any other logger may throw where descriptors, memory or the stack are short. */
  @Test
  void whateverIsLoggedCannotThrow() {
    noClasses()
        .that()
        .doNotHaveSimpleName("GuardedLogger")
        .should()
        .callMethodWhere(calls(System.class, "getLogger"))
        .check(library);
  }

  @Test
  void nobodySleepsOrUsesUnsafe() {
    noClasses()
        .should()
        .callMethodWhere(calls(Thread.class, "sleep").or(calls(TimeUnit.class, "sleep")))
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("sun.misc.Unsafe")
        .check(library);
  }

  @Test
  void transportsShowOnlyTheirEntryClassesOptionsAndProviders() {
    List<String> shown =
        library.stream()
            .filter(type -> type.getPackageName().matches("io\\.arraywire\\.(nio|stream)"))
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(type -> !type.getEnclosingClass().isPresent())
            .map(type -> type.getName())
            .sorted()
            .toList();
    assertThat(shown)
        .containsExactly(
            "io.arraywire.nio.NioCodecProvider",
            "io.arraywire.nio.NioCodecs",
            "io.arraywire.nio.NioOptions",
            "io.arraywire.nio.NioTransport",
            "io.arraywire.nio.NioTransportProvider",
            "io.arraywire.nio.WaitStrategy",
            "io.arraywire.stream.StreamCodecProvider",
            "io.arraywire.stream.StreamCodecs",
            "io.arraywire.stream.StreamTransport",
            "io.arraywire.stream.StreamTransportProvider");
  }

  /** A client works over any transport, so it knows none. */
  @Test
  void theClientNeedsTheApiOnly() {
    JavaClasses client = library.that(resideInAPackage("io.arraywire.client.."));
    assertThat(client).isNotEmpty();
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("io.arraywire.client..")
                .or(resideInAnyPackage(API))
                .or(resideInAnyPackage("java..", LOCKS, "org.jspecify.."))
                .or(isArrayOfPrimitives()))
        .check(client);
  }

  /** Codecs work over any transport, so they know none. */
  @Test
  void compressionNeedsTheApiAndItsCompressorsOnly() {
    JavaClasses compression = library.that(resideInAPackage("io.arraywire.compression.."));
    assertThat(compression).isNotEmpty();
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("io.arraywire.compression..")
                .or(resideInAnyPackage(API))
                .or(
                    resideInAnyPackage(
                        "java..", "org.jspecify..", "com.github.luben.zstd", "net.jpountz.lz4"))
                .or(isArrayOfPrimitives()))
        .check(compression);
  }

  /** Of Kafka it uses what is documented, of ours neither engine nor transports. */
  @Test
  void recordsNeedTheApiAndKafkasClientsOnly() {
    JavaClasses kafka = library.that(resideInAPackage("io.arraywire.kafka.."));
    assertThat(kafka).isNotEmpty();
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("io.arraywire.kafka..")
                .or(resideInAnyPackage(API))
                .or(resideInAnyPackage("java..", LOCKS, "org.jspecify.."))
                .or(
                    resideInAnyPackage(
                        "org.apache.kafka.clients.consumer",
                        "org.apache.kafka.clients.producer",
                        "org.apache.kafka.common",
                        "org.apache.kafka.common.config",
                        "org.apache.kafka.common.errors",
                        "org.apache.kafka.common.header",
                        "org.apache.kafka.common.record",
                        "org.apache.kafka.common.serialization"))
                .or(isArrayOfPrimitives()))
        .check(kafka);
  }

  @Test
  void usersOfAClientMeetNoMoreThanTheseTypes() {
    assertThat(
            library.stream()
                .filter(type -> type.getPackageName().equals("io.arraywire.client"))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getEnclosingClass().isPresent())
                .map(type -> type.getSimpleName())
                .sorted()
                .toList())
        .containsExactly(
            "AddressChoice",
            "AddressStatus",
            "ArraywireClient",
            "ClientBuilder",
            "ClientOutput",
            "ClientStatus",
            "ClientSubscription",
            "PublicationHandler",
            "RequestDeadline");
  }

  /** A further type needs a program that cannot do without it; see ShortPrograms. */
  @Test
  void usersMeetNoMoreThanSixtyTypes() {
    assertThat(
            library.stream()
                .filter(type -> type.getPackageName().equals("io.arraywire"))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getEnclosingClass().isPresent())
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .map(type -> type.getSimpleName())
                .sorted()
                .toList())
        .hasSizeLessThanOrEqualTo(60);
  }

  /**
   * Whole arrays of the eight primitive types and typed buffers aside, which every verb takes. A
   * further method needs a program that cannot do without it; see docs/adr/0032.
   */
  @Test
  void aConnectionHasFewMethods() {
    assertThat(Connection.class.getMethods())
        .filteredOn(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge())
        .filteredOn(method ->
            Stream.of(method.getParameterTypes()).noneMatch(LibraryArchitectureTest::isTyped))
        .extracting(Method::toString)
        .hasSizeLessThanOrEqualTo(47);
  }

  private static boolean isTyped(Class<?> parameter) {
    return parameter == Buffer.class
        || parameter.isArray() && parameter.getComponentType().isPrimitive();
  }

  /** One for each thing that a caller does differently; {@code ErrorCode} tells the rest apart. */
  @Test
  void callersTellThirteenExceptionsApart() {
    assertThat(
            library.stream()
                .filter(type -> type.isAssignableTo(ArraywireException.class))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(type -> type.getSimpleName())
                .sorted()
                .toList())
        .containsExactly(
            "ArrayTooLargeException",
            "ArraywireException",
            "BindFailedException",
            "ConnectFailedException",
            "ConnectionClosedException",
            "ConnectionLostException",
            "DeliveryUnknownException",
            "HandshakeException",
            "NoRoomException",
            "ProtocolException",
            "RemoteErrorException",
            "RemoteRejectedException",
            "TargetMismatchException",
            "TimedOutException");
  }

  @Test
  void noPackageIsADrawerForEverything() {
    classes()
        .should()
        .resideOutsideOfPackages("..impl..", "..internal..", "..util..", "..utils..", "..common..")
        .check(library);
  }
}

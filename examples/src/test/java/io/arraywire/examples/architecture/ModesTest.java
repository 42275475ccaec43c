package io.arraywire.examples.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Plain mode, and codecs that go element by element, are chosen when a connection is made or the
 * two sides agree. After that no code on the way of an array asks for them: few connections have
 * either, and every array of the others would pay for it. The test reads class files.
 */
@Tag("newest")
class ModesTest {
  private static final String ENGINE = "io.arraywire.engine.";

  /** What says which mode it is. A method made of these would ask, too. */
  private static final Set<String> QUESTIONS =
      Set.of(
          "TransportOptions.plainType",
          "Agreement.plain",
          "ArrayWriter.isFramed",
          "CodecTraits.elementwise",
          "EngineContext.hasElementwiseDecoder");

  /** The methods that ask, none of which is called for a plain array of a framed connection. */
  private static final String ASKING =
      """
      when a transport or a connection is made:
        Engine.core Engine.end EngineContext.<init> EngineContext.installed Inbound.of
        KeepAliveLimits.<init> InboundProgress.<init> tls.TlsState.<init>
        EngineContext.firstCodec SendCodecs.compressions SendCodecs.hasRaw
      when the two sides agree:
        Handshake.start EngineContext.writer HandshakeOutcome.choice Channels.keepCredit
      for an array that has names, is too long for Java, or names its codec:
        Sender.encodedParts SendChecks.checkMessage SendChecks.fits SendCodecs.isForConnection
      when an array is withdrawn, or something ends:
        BatchWriter.planAbort SendWait.tookBack ConnectionState.closeLink Shutdown.isPlain
        Shutdown.fail Drain.untold Drain.awaitEnd Drain.await
        Engine.accepted
      for people, and for requests and subscriptions of plain mode:
        Description.of Exchanges.checkFramed
      where the mode is chosen already:
        PlainReader.count ElementwiseWriter.isFramed ElementwiseWriter.plan
        ElementwiseWriter.write ReadLimit.ofElementwise
      """;

  @Test
  void nothingAsksForTheModeOnTheWayOfAnArray() {
    Set<String> asking = new TreeSet<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.arraywire")
            .that(
                resideInAnyPackage(
                    "io.arraywire.engine..", "io.arraywire.nio..", "io.arraywire.stream.."))) {
      for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
        if (QUESTIONS.contains(call.getTargetOwner().getSimpleName() + "." + call.getName())) {
          asking.add(type.getName().replace(ENGINE, "") + "." + method(call));
        }
      }
    }
    Set<String> allowed = new TreeSet<>();
    ASKING
        .lines()
        .filter(line -> line.startsWith(" "))
        .forEach(line -> {
          for (String method : line.trim().split("\\s+")) {
            assertThat(allowed.add(method)).as("a second " + method).isTrue();
          }
        });
    assertThat(asking).containsExactlyElementsOf(allowed);
  }

  private static String method(JavaMethodCall call) {
    String name = call.getOrigin().getName();
    if (!name.startsWith("lambda$")) {
      return name;
    }
    String outer = name.substring("lambda$".length(), name.lastIndexOf('$'));
    return outer.equals("new") ? "<init>" : outer;
  }
}

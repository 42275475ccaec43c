package io.arraywire.examples.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The floors that the engine stands on, bottom to top. A type uses types of its own floor and of
 * those below, never of one above, as class files tell; nested types count with their outer one.
 */
@Tag("newest")
class EngineFloorsTest {
  private static final String ENGINE = "io.arraywire.engine.";

  /** How many types may use each other in a circle, in all library modules. */
  private static final int LARGEST_CIRCLE = 6;

  /** One floor a line, its name before the colon. A new type of the engine gets its place here. */
  private static final String FLOORS =
      """
      words: ArrayDirect ArrayIo AttemptTime BlockCounts BlockElements Blocks BlockSamples BlockScratch BlockVerdict ByNumber ChannelId ConnectErrors ControlFrames Deadlines Description
          EarlyTouch EffectlessFrames EngineRuntime Failures FlightRecorder FrameScratch GuardedLogger
          HandlerThreads HandlerWait HelloCredentials InboundPortion Intake Interruptible KnownTables LazyQueue LeaseFacts Link Log LogNumbers LogThrottle
          LinkRate LoggedFailure LoopHeldEvent LoopTurn MessageEncodings ObjectPool PeerAddress Permissions
          Output PartsCodec PeerFault ProcessorWaits ReadPlan ReconnectPauses RepeatedFailures ReusedThreads Role SameHost
          SendChecks SendCodecs SendStall SourceFailure
          SystemDeadlines SystemRuntime TableBytes TargetChecks TcpKeepAlive Unreachables WaitNotes WaitScope WireEnd
          WindowSample WireLayer
      things: AcceptPauses Admission ArrivalBudget ArrivalCharge ArrivalShare Authentications BudgetShare Completions ConnectionCredit Credit HeldArrays HelpedStage
          InboxBudget InboxShare
          KeepAlive KeepAliveLimits KeepAliveTimer MemoryBudget NotedStage OwnOffer RatedCredit ReusableFuture
          ShortCalls
          tls.HandshakeTasks tls.TlsEnd tls.TlsErrors tls.TlsInput tls.TlsLayer tls.TlsLink tls.TlsMemory
          tls.TlsOutput tls.SessionCertificates tls.TlsRecords tls.TlsShared tls.TlsState tls.UnmadeEnd
      arrays: ArrayDirectPart ArrayWriter BatchPlan BlockChoice BlockWriter Bookkeeping CheckedCodec CodecWarmUp DecodingSink
          DroppingSink ElementwiseWriter FrameWriter HeapLease InboundArray Lease OutboundArray
          OpenedSource OutboundChannel OutboundParts OutputBatch OwedReply PartChoice PendingReceive PendingReceives PlainWriter
          MovableSink PartCursor PartsPieces PartsSink PlannedFrame PooledLease PooledSink SendCredit SendSeen SharedBlocks
          SharedMemory Sink WritingSink
      base: ConnectionScope EngineContext EventDispatcher FlightRecords HandlerLog HandlerLogs LateHandlers
      out: Acknowledgements BatchWriter BrokenSources ControlQueue Outbound OutboundArrayPool OutboundReport
          OutboundScope SendProgress SendQueue SendWait SendWatch Sender
      in: ArrayChecks AttributesReader BlockReader DeliveryGuard FrameHandler FrameReader FrameScope FrameTable HandlerCalls HandlerRunner
          HandlerTargets HandlerWaits Inbound InboundChannel InboundParts InboundProgress InboundScope Inbox InboxPool
          Placement PlainReader ReadLimit ReceiveCalls ReceiveCredit ReceiveQueue ReceiveTargets ReceiveWatch
          ReceivingEnd RequestIntake WaitingHandler
      channels: ChannelEnd ChannelScope Channels
      peers: ControlScope Exchanges HandlerReply Handshake OpenReply PeerControl PeerScope
          PendingRequest Publication
          ReplyEnd Requests RequestsMade RequestsTaken SessionBinding Subscriber Subscribers
          SubscriptionEnd Subscriptions SubscriptionsMade SubscriptionsTaken
      core: ConnectionAgreement ConnectionCore ConnectionState Disposal Drain EngineConnection
          HandshakeOutcome KeepAliveLook PlainCore Shutdown
      faces: AbstractConnection ElementwiseEnd FramedConnection FramedEnd
      sessions: Dialer Reconnector RetainedSends Session SessionAttachment SessionChannel
          SessionConnection SessionIdentity SessionInbox SessionRefusals SessionSend SessionState Sessions
      doors: AcceptQueue Acceptor Engine EngineListener EngineTransport Opening SharedTransport
          Subjects
      """;

  private static final Map<String, Integer> FLOOR_OF = new LinkedHashMap<>();
  private static final List<String> NAMES = new ArrayList<>();

  private static TypeUse library;

  @BeforeAll
  static void read() {
    for (String floor : FLOORS.split("\\n(?! )")) {
      String[] parts = floor.split(":");
      NAMES.add(parts[0]);
      for (String type : parts[1].trim().split("\\s+")) {
        assertThat(FLOOR_OF.put(ENGINE + type, NAMES.size() - 1)).as("a second " + type).isNull();
      }
    }
    library =
        TypeUse.of(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.arraywire")
                .that(
                    resideInAnyPackage(LibraryArchitectureTest.LIBRARY)
                        .and(not(resideInAPackage("io.arraywire.wire.proto")))));
  }

  @Test
  void everyTypeOfTheEngineHasItsFloor() {
    TreeSet<String> engine = new TreeSet<>(library.types());
    engine.removeIf(type -> !type.startsWith(ENGINE) || type.endsWith(".package-info"));
    assertThat(engine).containsExactlyInAnyOrderElementsOf(FLOOR_OF.keySet());
  }

  @Test
  void noTypeUsesOneOfAFloorAbove() {
    List<String> upward = new ArrayList<>();
    FLOOR_OF.forEach((type, floor) -> {
      for (String used : library.of(type)) {
        Integer above = FLOOR_OF.get(used);
        if (above != null && above > floor) {
          upward.add(
              simple(type)
                  + " ("
                  + NAMES.get(floor)
                  + ") uses "
                  + simple(used)
                  + " ("
                  + NAMES.get(above)
                  + ")");
        }
      }
    });
    assertThat(upward).isEmpty();
  }

  @Test
  void circlesAreSmall() {
    List<String> circle = library.largestCircle().stream().map(EngineFloorsTest::simple).toList();
    System.out.printf(
        "largest circle of types: %d of %d: %s%n", circle.size(), library.types().size(), circle);
    assertThat(circle).hasSizeLessThanOrEqualTo(LARGEST_CIRCLE);
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }
}

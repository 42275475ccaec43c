package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Which connection makes room when inboxes have used up their budget. */
class InboxBudgetTest {
  private final InboxBudget inboxes = new InboxBudget(MemoryBudget.ofInboxes(0));
  private final long heap = inboxes.budget().left();
  private final List<Inbox> told = new ArrayList<>();

  /** A connection that is emptied when the test says so. */
  private final class Inbox implements InboxShare.Owner {
    final InboxShare share;

    Inbox(long bytes) {
      this(bytes, EngineRuntime.system());
    }

    Inbox(long bytes, EngineRuntime clock) {
      share = new InboxShare(inboxes, this, clock);
      share.changes(bytes);
    }

    @Override
    public void dropUntaken(ArraywireException cause) {
      told.add(this);
    }
  }

  @Test
  void theOneThatHoldsMostMakesRoom() {
    Inbox greedy = new Inbox(heap / 2);
    Inbox large = new Inbox(heap / 4);
    Inbox needy = new Inbox(heap / 4);
    assertThat(needy.share.isInTheWay()).isFalse();
    assertThat(told).containsExactly(greedy);
    assertThat(greedy.share.isInTheWay()).isTrue();
    assertThat(large.share.isInTheWay()).isFalse();
    assertThat(told).as("no more than are needed").containsExactly(greedy);
  }

  /** While it is being emptied it soon holds less than the inboxes that it makes room for. */
  @Test
  void nobodyElseFailsWhileItIsEmptied() {
    Inbox greedy = new Inbox(heap / 2);
    Inbox needy = new Inbox(heap / 2);
    needy.share.changes(-(heap / 8));
    needy.share.changes(heap / 8 - 1);
    assertThat(needy.share.isInTheWay()).isFalse();
    assertThat(told).containsExactly(greedy);
    long rest = heap / 2;
    while (rest > heap / 8) {
      greedy.share.changes(-(rest / 2));
      rest -= rest / 2;
      // Others have taken what has become free.
      Inbox other = new Inbox(rest);
      assertThat(needy.share.isInTheWay()).as("with %d left to be dropped", rest).isFalse();
      other.share.changes(-rest);
    }
    assertThat(told).containsExactly(greedy);
  }

  @Test
  void whenItHasGoneTheNextOneMakesRoom() {
    Inbox greedy = new Inbox(heap / 2);
    Inbox second = new Inbox(heap / 4);
    Inbox needy = new Inbox(heap / 4);
    assertThat(needy.share.isInTheWay()).isFalse();
    greedy.share.changes(-(heap / 2));
    assertThat(needy.share.isInTheWay()).as("there is room now").isFalse();
    Inbox other = new Inbox(heap / 2);
    assertThat(second.share.isInTheWay()).isFalse();
    assertThat(told).containsExactly(greedy, other);
  }

  /** What leaves a handler's hand is given back right after: until then it is nobody's to drop. */
  @Test
  void whatIsAboutToBeGivenBackIsNotTakenForUntaken() {
    Inbox busy = new Inbox(0);
    busy.share.changes(heap / 2);
    busy.share.inHand(heap / 2);
    Inbox large = new Inbox(heap / 4 + heap / 16);
    Inbox needy = new Inbox(heap / 4);
    busy.share.inHand(-(heap / 2));
    assertThat(needy.share.isInTheWay()).isFalse();
    assertThat(told).containsExactly(large);
    busy.share.changes(-(heap / 2));
  }

  /** Its lock keeps out nobody but its own connection. */
  @Test
  void nobodyFailsWhoseRoomComesFreeWhileItAsks() {
    Inbox greedy = new Inbox(heap / 2);
    AtomicBoolean asks = new AtomicBoolean();
    EngineRuntime clock =
        withEachLook(() -> {
          if (asks.get()) {
            greedy.share.end();
          }
        });
    Inbox needy = new Inbox(heap / 2, clock);
    asks.set(true);
    assertThat(needy.share.isInTheWay()).isFalse();
    assertThat(inboxes().left()).as("left by the one that has gone").isGreaterThan(heap / 3);
    assertThat(told).isEmpty();
  }

  /** The system's runtime, which does something else whenever it is asked for the time. */
  private static EngineRuntime withEachLook(Runnable action) {
    return (EngineRuntime)
        Proxy.newProxyInstance(
            EngineRuntime.class.getClassLoader(),
            new Class<?>[] {EngineRuntime.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("nanoTime")) {
                action.run();
              }
              return method.invoke(EngineRuntime.system(), arguments);
            });
  }

  /** A thousand peers whose arrays nobody takes go on while one of them is being emptied. */
  @Test
  void othersTakeNoMoreMeanwhileThanWhatIsToGo() {
    int peers = 1000;
    long piece = 4 << 10;
    long each = heap / peers / piece * piece;
    List<Inbox> inboxes = new ArrayList<>();
    for (int i = 0; i < peers; i++) {
      inboxes.add(new Inbox(each + piece * (i % 7)));
    }
    Set<Inbox> ended = new HashSet<>();
    for (int round = 0; round < 100; round++) {
      for (Inbox inbox : inboxes) {
        if (!ended.contains(inbox)) {
          inbox.share.changes(piece);
          if (inbox.share.isInTheWay()) {
            inbox.share.end();
            ended.add(inbox);
          }
        }
      }
      long toGo = 0;
      for (Inbox inbox : told) {
        toGo += inbox.share.bytesToGo();
      }
      assertThat(-inboxes().left())
          .as("round %d", round)
          .isLessThanOrEqualTo(toGo + slack())
          .isLessThanOrEqualTo(heap / 8 + piece);
    }
    assertThat(told).isNotEmpty();
  }

  /** Each may hold a little whatever others hold; together that may be as much as there is. */
  @Test
  void largeOnesMakeRoomForManySmallOnes() {
    Inbox greedy = new Inbox(heap);
    long small = 0;
    while (small < heap / 2) {
      Inbox inbox = new Inbox(BudgetShare.LEAST);
      small += BudgetShare.LEAST;
      assertThat(inbox.share.isInTheWay()).isFalse();
    }
    assertThat(told).containsExactly(greedy);
  }

  /** The handlers of a connection that has gone keep what they have in hand. */
  @Test
  void whatHandlersHaveInHandMakesNoRoom() {
    Inbox busy = new Inbox(heap);
    busy.share.inHand(heap);
    Inbox greedy = new Inbox(heap / 4);
    Inbox needy = new Inbox(heap / 8);
    needy.share.isInTheWay();
    assertThat(told).containsExactly(greedy);
    assertThat(busy.share.bytesToGo()).isZero();
    busy.share.inHand(-heap);
    assertThat(busy.share.bytesToGo()).as("about to be given back").isZero();
    busy.share.changes(-1);
    assertThat(busy.share.bytesToGo()).isEqualTo(heap - 1);
  }

  /** No peer can take back what handlers keep, so it must not be what fills inboxes. */
  @Test
  void muchThatHandlersHaveInHandLeavesInboxesAlone() {
    MemoryBudget all = new MemoryBudget(0);
    ArrivalBudget budget = Objects.requireNonNull(ArrivalBudget.of(0, inboxes(), all));
    ArrivalShare hands = new ArrivalShare(budget);
    long array = ArrivalBudget.FIRST_BYTES + 300;
    Inbox inbox = new Inbox(0);
    int arrays = 0;
    for (; arrays * array < heap / 2 - heap / 8; arrays++) {
      inbox.share.changes(array);
      inbox.share.inHand(array);
      assertThat(inbox.share.handsOver(hands)).isTrue();
    }
    // What handlers have beyond a quarter of the budget inboxes cannot have.
    assertThat(hands.held).isBetween((arrays - 8) * array, arrays * array);
    assertThat(inbox.share.held() + hands.held).isEqualTo(arrays * array);
    assertThat(inbox.share.bytesToGo()).isZero();
    for (; arrays > 0; arrays--) {
      inbox.share.inHand(-array);
      inbox.share.changes(-array);
      assertThat(inbox.share.held()).isNotNegative();
    }
    assertThat(hands.held).isZero();
    inbox.share.trim();
    assertThat(inboxes().left()).isEqualTo(heap);
  }

  @Test
  void manyBusyHandlersLeaveRoomForArraysThatWait() {
    ArrivalBudget budget =
        Objects.requireNonNull(ArrivalBudget.of(0, inboxes(), new MemoryBudget(0)));
    long array = ArrivalBudget.FIRST_BYTES;
    for (int i = 0; i < 20; i++) {
      Inbox busy = new Inbox(0);
      ArrivalShare hands = new ArrivalShare(budget);
      boolean room = true;
      for (long inHand = 0; room && inHand < 2 * heap; inHand += array) {
        busy.share.changes(array);
        busy.share.inHand(array);
        room = busy.share.handsOver(hands);
      }
      assertThat(room).isFalse();
      // The one that was refused.
      busy.share.inHand(-array);
      busy.share.changes(-array);
    }
    assertThat(inboxes().left()).isGreaterThan(heap / 8);
    Inbox friend = new Inbox(heap / 8);
    assertThat(friend.share.isInTheWay()).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void aRefusalSaysWhatTheConnectionHoldsAndMayHold() {
    Inbox inbox = new Inbox(heap - heap / 16);
    assertThat(inboxes.refusal(inbox.share.held(), "channel", 255).getMessage())
        .contains("channel=255, heldByConnection=" + (heap - heap / 16))
        .contains("mayHold=" + BudgetShare.mayHold(inboxes()))
        .contains("leftForInboxes=" + inboxes().left())
        .contains("inboxLimit=" + heap)
        .hasSizeLessThan(300);
  }

  /** So small arrays for handlers take no lock that all connections share. */
  @Test
  void whatHandlersTakeAndFinishWithLeavesTheBudgetAlone() {
    long array = ArrivalBudget.FIRST_BYTES + 300;
    Inbox inbox = new Inbox(4 * array);
    inbox.share.changes(-4 * array);
    long left = inboxes().left();
    for (int i = 0; i < 100; i++) {
      for (int inHand = 0; inHand < 4; inHand++) {
        inbox.share.changes(array);
        assertThat(inboxes().left()).isEqualTo(left);
      }
      for (int inHand = 0; inHand < 4; inHand++) {
        inbox.share.changes(-array);
        assertThat(inboxes().left()).isEqualTo(left);
      }
    }
    inbox.share.trim();
    assertThat(inboxes().left()).isEqualTo(heap);
  }

  @Test
  void wherePlentyIsTakenNothingIsKept() {
    Inbox inbox = new Inbox(ArrivalBudget.FIRST_BYTES);
    Inbox other = new Inbox(heap / 2);
    long left = inboxes().left();
    inbox.share.changes(-ArrivalBudget.FIRST_BYTES);
    assertThat(inboxes().left()).isEqualTo(left + ArrivalBudget.FIRST_BYTES);
    other.share.end();
  }

  private MemoryBudget inboxes() {
    return inboxes.budget();
  }

  /** What is in no sum, and what each connection may hold whatever others do. */
  private static long slack() {
    return 2 * BudgetShare.LEAST;
  }
}

package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Turns, one after the other; {@code TurnsStress} has them at the same time. */
class TurnsTest {
  private final Turns turns = new Turns();

  private void lend() {
    assertThat(turns.beginWrite()).isTrue();
    assertThat(turns.lend()).isFalse();
  }

  @Test
  void atFirstTheReadingThreadReadsAndCallersDoNothing() {
    assertThat(turns.isLent()).isFalse();
    assertThat(turns.beginRead()).isFalse();
    assertThat(turns.beginLentWrite()).isFalse();
    assertThat(turns.beginLastRead()).as("it has the turn").isFalse();
    assertThat(turns.sleeps()).as("the threads see to it").isTrue();
    assertThat(turns.sleepsAtOnce()).isFalse();
  }

  @Test
  void oneWritesAtATime() {
    assertThat(turns.beginWrite()).isTrue();
    assertThat(turns.beginWrite()).isFalse();
    assertThat(turns.endWrite()).isTrue();
    assertThat(turns.beginWrite()).isTrue();
    turns.leaveWrite();
    assertThat(turns.beginWrite()).isTrue();
  }

  @Test
  void whatIsAskedForWhileOneWritesKeepsItWriting() {
    assertThat(turns.ask()).as("nobody writes").isTrue();
    assertThat(turns.beginWrite()).isTrue();
    assertThat(turns.ask()).as("somebody writes").isFalse();
    turns.looks();
    assertThat(turns.endWrite()).isTrue();
    assertThat(turns.beginWrite()).isTrue();
    turns.looks();
    assertThat(turns.askSoon()).isFalse();
    assertThat(turns.endWrite()).as("more was asked for").isFalse();
    assertThat(turns.beginWrite()).as("so the turn goes on").isFalse();
  }

  @Test
  void whatIsNotUrgentWaitsForTheNextTurnWhileTheSocketIsLent() {
    assertThat(turns.askSoon()).as("no turn comes by itself").isTrue();
    assertThat(turns.beginWrite()).isTrue();
    turns.looks();
    assertThat(turns.lend()).isFalse();
    assertThat(turns.askSoon()).isFalse();
    assertThat(turns.ask()).isTrue();
    assertThat(turns.isAsked()).isTrue();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.beginWrite()).isTrue();
    assertThat(turns.takeBack()).as("what waits is to be written").isTrue();
    assertThat(turns.isLent()).isFalse();
  }

  @Test
  void whatIsAskedForWhileTheSocketIsBeingLentIsSeen() {
    assertThat(turns.beginWrite()).isTrue();
    assertThat(turns.ask()).isFalse();
    assertThat(turns.lend()).isTrue();
  }

  @Test
  void oneReadsAtATime() {
    lend();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.beginRead()).isFalse();
    assertThat(turns.endReadUnlessNeeded()).isTrue();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.endRead(false)).isFalse();
    assertThat(turns.beginLastRead()).isTrue();
  }

  @Test
  void aCallerThatSleepsNeedsTheReadingThreadWhenTheOtherEnds() {
    lend();
    assertThat(turns.sleeps()).as("nobody reads: it may").isFalse();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.sleeps()).isTrue();
    assertThat(turns.needsThread()).as("somebody reads").isFalse();
    assertThat(turns.endRead(false)).isTrue();
    assertThat(turns.needsThread()).isTrue();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.endReadUnlessNeeded()).isFalse();
    assertThat(turns.beginWrite()).isTrue();
    assertThat(turns.takeBack()).isFalse();
  }

  @Test
  void aCallerThatHasNoResultNeedsTheReadingThread() {
    lend();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.endRead(true)).isTrue();
    assertThat(turns.needsThread()).isTrue();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.sleepsAtOnce()).isFalse();
    assertThat(turns.endRead(false)).isTrue();
    assertThat(turns.sleepsAtOnce()).isTrue();
  }

  @Test
  void aFullSocketIsWatchedByTheOneThatReadsOrByTheThread() {
    lend();
    assertThat(turns.beginLentWrite()).isTrue();
    assertThat(turns.endFullWrite()).as("nobody reads").isFalse();
    assertThat(turns.isFull()).isTrue();
    assertThat(turns.leavesFull()).isTrue();
    assertThat(turns.needsThread()).isTrue();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.leavesFull()).as("somebody watches").isFalse();
    assertThat(turns.beginLentWrite()).isTrue();
    assertThat(turns.endFullWrite()).isTrue();
    assertThat(turns.beginLentWrite()).isTrue();
    assertThat(turns.endWrite()).isTrue();
    assertThat(turns.isFull()).isFalse();
  }

  @Test
  void whatHadNoRoomIsWrittenWhenTheSocketIsTakenBack() {
    lend();
    assertThat(turns.beginLentWrite()).isTrue();
    assertThat(turns.endFullWrite()).isFalse();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.endReadUnlessNeeded()).isFalse();
    assertThat(turns.beginWrite()).isTrue();
    assertThat(turns.takeBack()).isTrue();
    assertThat(turns.isFull()).isFalse();
  }

  @Test
  void whenTheLastTurnToWriteIsOverTheSocketIsStillTakenBack() {
    lend();
    assertThat(turns.beginWrite()).isTrue();
    turns.endLastWrite();
    assertThat(turns.isWriteOver()).isTrue();
    assertThat(turns.ask()).as("nobody is to be woken").isFalse();
    assertThat(turns.beginRead()).isTrue();
    assertThat(turns.beginWrite()).isFalse();
    assertThat(turns.takeBack()).isFalse();
    assertThat(turns.isLent()).isFalse();
    assertThat(turns.beginWrite()).isFalse();
    assertThat(turns.isWriteOver()).isTrue();
  }
}

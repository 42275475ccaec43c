package io.arraywire.testkit.simulation;

import io.arraywire.ReceivedArray;

/**
 * A subscription as its user sees it. What is published on a subject has the numbers from 1 on as
 * tags, so the user can count what is missing.
 */
final class Subscriber {
  final End end;
  final String subject;
  private final Judge judge;

  /** What had been published before the subscription was asked for, and when it was there. */
  final long publishedBefore;

  private long publishedAtAnswer = -1;
  private long last = -1;
  private long dropped;
  private boolean over;

  Subscriber(End end, String subject, Judge judge, long publishedBefore) {
    this.end = end;
    this.subject = subject;
    this.judge = judge;
    this.publishedBefore = publishedBefore;
  }

  /** The publisher has accepted it, as far as this side knows. */
  void answered(long published) {
    publishedAtAnswer = published;
  }

  void got(ReceivedArray array) {
    judge.met(Occurrence.PUBLICATION_RECEIVED);
    if (array.header().dropped() > 0) {
      judge.met(Occurrence.PUBLICATION_DROPPED);
    }
    long tag = array.tag();
    long missing = array.header().dropped();
    if (over) {
      judge.violation(this + " got " + tag + " after its end");
    }
    if (last < 0) {
      long begin = tag - 1 - missing;
      if (begin < publishedBefore) {
        judge.violation(this + " began before it was asked for: " + begin);
      }
      if (publishedAtAnswer >= 0 && begin > publishedAtAnswer) {
        judge.violation(
            this + " misses what was published after it was accepted: it began at " + begin);
      }
      last = begin;
      first = begin;
    }
    if (tag - last - 1 != missing) {
      judge.violation(
          this
              + " got "
              + tag
              + " after "
              + last
              + ", which says that "
              + missing
              + " are missing");
    }
    if (Payload.hash(array.message()) != Payload.hash(Payload.of(tag, Publisher.bytes(tag)))) {
      judge.violation(this + " got other elements than were published: " + tag);
    }
    last = tag;
    dropped += missing;
  }

  private long first = -1;

  long last() {
    return last;
  }

  long dropped() {
    return dropped;
  }

  void isOver() {
    over = true;
  }

  @Override
  public String toString() {
    return "subscriber of "
        + end
        + " to "
        + subject
        + " (before="
        + publishedBefore
        + ", atAnswer="
        + publishedAtAnswer
        + ", first="
        + first
        + ")";
  }
}

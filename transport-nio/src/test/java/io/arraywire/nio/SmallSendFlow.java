package io.arraywire.nio;

/**
 * Small arrays over a quiet connection from a sender to a receiver, each of which counts what it
 * does for them.
 */
final class SmallSendFlow {
  /** What is looked at once the arrays have been sent. */
  @FunctionalInterface
  interface Check {
    /**
     * Checks the counts.
     *
     * @param atSender what the sender counted
     * @param atReceiver what the receiver counted
     */
    void check(SmallSendSide sender, long atSender, SmallSendSide receiver, long atReceiver)
        throws Exception;
  }

  private SmallSendFlow() {}

  /**
   * Sends arrays and has the counts checked.
   *
   * @param what is counted
   * @param warmUp arrays that are sent before anything is counted
   * @param arrays that are sent then
   */
  static void run(CountingLoader.What what, int warmUp, int arrays, Check check) throws Exception {
    SmallSendSide receiver = new SmallSendSide(what);
    SmallSendSide sender = new SmallSendSide(what);
    try {
      sender.call(sender.sends, "connect", receiver.call(receiver.sends, "receive"));
      sender.call(sender.sends, "send", warmUp);
      receiver.call(receiver.counts, "begin");
      sender.call(sender.counts, "begin");
      sender.call(sender.sends, "send", arrays);
      long atSender = (long) sender.call(sender.counts, "end");
      long atReceiver = (long) receiver.call(receiver.counts, "end");
      check.check(sender, atSender, receiver, atReceiver);
    } finally {
      sender.call(sender.sends, "close");
      receiver.call(receiver.sends, "close");
    }
  }
}

package io.arraywire.testkit;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.TransportObserver;
import io.arraywire.spi.BackPressure;
import io.arraywire.spi.Rejection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Notes what an observer is told, in words. */
final class ObservedEvents implements TransportObserver {
  final List<String> told = new CopyOnWriteArrayList<>();
  final List<Connection> connections = new CopyOnWriteArrayList<>();

  /** What was told since the last time. */
  List<String> take() {
    List<String> all = List.copyOf(told);
    told.clear();
    return all;
  }

  private void note(Connection connection, String words) {
    // No lock is held, so this may be asked; it would not fail but hang if that were wrong.
    var unused = connection.describe() + connection.load();
    connections.add(connection);
    told.add(words);
  }

  private static String words(ArrayHeader header) {
    return header.channel()
        + "/"
        + header.sequence()
        + " "
        + header.count()
        + " "
        + header.type().typeName();
  }

  @Override
  public void connectionOpened(Connection connection) {
    note(connection, "opened");
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable ArraywireException cause) {
    note(connection, "closed " + (cause == null ? "in order" : cause.code()));
  }

  @Override
  public void arraySent(Connection connection, ArrayHeader header, Receipt receipt) {
    note(connection, "sent " + words(header) + " wireBytes=" + receipt.wireBytes());
  }

  @Override
  public void arrayReceived(Connection connection, ArrayHeader header, Receipt receipt) {
    note(connection, "received " + words(header) + " wireBytes=" + receipt.wireBytes());
  }

  @Override
  public void arrayAcknowledged(Connection connection, ArrayHeader header, long nanos) {
    note(connection, "acknowledged " + words(header) + (nanos >= 0 ? "" : " in the past"));
  }

  @Override
  public void arrayRejected(Connection connection, Rejection rejection) {
    note(
        connection,
        "rejected "
            + rejection.channel()
            + "/"
            + rejection.sequence()
            + (rejection.byPeer() ? " by the peer: " : " here: ")
            + rejection.reason().getMessage());
  }

  @Override
  public void backPressureBegan(Connection connection, BackPressure pressure) {
    note(connection, "began " + pressure.channel() + " " + pressure.cause());
  }

  @Override
  public void backPressureEnded(Connection connection, BackPressure pressure, long nanos) {
    note(
        connection,
        "ended "
            + pressure.channel()
            + " "
            + pressure.cause()
            + (nanos >= 0 ? "" : " in the past"));
  }

  @Override
  public void sessionBroken(Connection connection, ArraywireException cause) {
    note(connection, "broken " + cause.code());
  }

  @Override
  public void sessionResumed(Connection connection) {
    note(connection, "resumed");
  }

  @Override
  public void permissionDenied(Connection connection, ArraywireException denial) {
    note(connection, "denied " + denial.code());
  }

  @Override
  public void error(Connection connection, ArraywireException error) {
    note(connection, "error " + error.code());
  }
}

package io.arraywire;

import io.arraywire.spi.BackPressure;
import io.arraywire.spi.Rejection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells several observers. */
record AllObservers(List<TransportObserver> observers) implements TransportObserver {

  private void tell(Consumer<TransportObserver> event) {
    Throwable first = null;
    for (TransportObserver observer : observers) {
      try {
        event.accept(observer);
      } catch (RuntimeException | Error thrown) {
        first = first == null ? thrown : first;
      }
    }
    if (first instanceof RuntimeException exception) {
      throw exception;
    } else if (first instanceof Error error) {
      throw error;
    }
  }

  @Override
  public void connectionOpened(Connection connection) {
    tell(each -> each.connectionOpened(connection));
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable ArraywireException cause) {
    tell(each -> each.connectionClosed(connection, cause));
  }

  @Override
  public void arraySent(Connection connection, ArrayHeader header, Receipt receipt) {
    tell(each -> each.arraySent(connection, header, receipt));
  }

  @Override
  public void arrayReceived(Connection connection, ArrayHeader header, Receipt receipt) {
    tell(each -> each.arrayReceived(connection, header, receipt));
  }

  @Override
  public void arrayAcknowledged(Connection connection, ArrayHeader header, long nanos) {
    tell(each -> each.arrayAcknowledged(connection, header, nanos));
  }

  @Override
  public void arrayRejected(Connection connection, Rejection rejection) {
    tell(each -> each.arrayRejected(connection, rejection));
  }

  @Override
  public void backPressureBegan(Connection connection, BackPressure pressure) {
    tell(each -> each.backPressureBegan(connection, pressure));
  }

  @Override
  public void backPressureEnded(Connection connection, BackPressure pressure, long nanos) {
    tell(each -> each.backPressureEnded(connection, pressure, nanos));
  }

  @Override
  public void sessionBroken(Connection connection, ArraywireException cause) {
    tell(each -> each.sessionBroken(connection, cause));
  }

  @Override
  public void sessionResumed(Connection connection) {
    tell(each -> each.sessionResumed(connection));
  }

  @Override
  public void permissionDenied(Connection connection, ArraywireException denial) {
    tell(each -> each.permissionDenied(connection, denial));
  }

  @Override
  public void error(Connection connection, ArraywireException error) {
    tell(each -> each.error(connection, error));
  }
}

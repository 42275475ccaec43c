package io.arraywire.examples;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.nio.NioTransport;
import java.util.Map;

/**
 * A simulation of heat that spreads on a plate; a notebook draws its results. {@code
 * python/examples/simulation.py} sends the temperatures at the beginning, a {@code float[]} with a
 * shape of two dimensions, and gets those of later steps while they are computed. The edge of the
 * plate keeps its temperature.
 */
public final class HeatSimulation {
  private static final float SPREAD = 0.2f;

  private HeatSimulation() {}

  /**
   * Listens until the process ends.
   *
   * @param arguments where to listen, for example {@code localhost:0}
   * @throws Exception if it cannot listen there
   */
  public static void main(String[] arguments) throws Exception {
    try (Listener server =
        NioTransport.listen(arguments[0], Handlers.ofArrays(HeatSimulation::simulate))) {
      System.out.println("listening on " + server.address());
      server.closeOnShutdown().awaitClosed();
    }
  }

  /** Sends the temperatures of each so many steps, tagged with the number of the step. */
  private static void simulate(Connection connection, ReceivedArray start)
      throws ArraywireException, InterruptedException {
    long[] shape = start.header().attributes().shape();
    if (shape.length != 2) {
      throw ArraywireException.refusal("a plate has two dimensions", "dimensions", shape.length);
    }
    Map<String, String> wishes = start.header().attributes().metadata();
    int steps = Integer.parseInt(wishes.getOrDefault("steps", "1000"));
    int every = Integer.parseInt(wishes.getOrDefault("every", "100"));
    int columns = Math.toIntExact(shape[1]);
    float[] now = start.floats().clone();
    float[] next = now.clone();
    for (int step = 1; step <= steps; step++) {
      for (int at = columns + 1; at < now.length - columns - 1; at++) {
        int column = at % columns;
        if (column > 0 && column < columns - 1) {
          float around = now[at - 1] + now[at + 1] + now[at - columns] + now[at + columns];
          next[at] = now[at] + SPREAD * (around - 4 * now[at]);
        }
      }
      float[] before = now;
      now = next;
      next = before;
      if (step % every == 0) {
        // It waits while the notebook takes none: a simulation runs no further ahead than credit.
        connection.send(ArraySlice.of(now), SendOptions.handedOff().tag(step).shape(shape));
      }
    }
  }
}

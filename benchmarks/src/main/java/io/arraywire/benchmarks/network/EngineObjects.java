package io.arraywire.benchmarks.network;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Image;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;
import org.testcontainers.utility.ResourceReaper;

/**
 * What a run has in a container engine: containers, a network and an image. All of it has a label
 * that names this machine and this process. So another run, which knows nothing else of it, can
 * remove it: the next run does that, also after the process was killed. Any thread.
 */
final class EngineObjects {
  private static final String LABEL = "io.arraywire.bench";
  private static final Pattern OWNER = Pattern.compile("(.+)/(\\d{1,18})/\\d+");
  private static final int ATTEMPTS = 40;
  private static final long PAUSE_MILLIS = 250;
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final String HOST = host();

  private final DockerClient engine;
  private final String owner;

  private EngineObjects(DockerClient engine, String owner) {
    this.engine = engine;
    this.owner = owner;
  }

  /** Those of a new run of this process; none yet. */
  static EngineObjects create() {
    return new EngineObjects(
        DockerClientFactory.instance().client(),
        HOST + "/" + ProcessHandle.current().pid() + "/" + COUNT.incrementAndGet());
  }

  /** Removes what processes of this machine have left that are no more. */
  static void removeThoseOfTheDead() {
    DockerClient engine = DockerClientFactory.instance().client();
    for (String owner : owners(engine)) {
      Matcher parts = OWNER.matcher(owner);
      // An engine may serve several machines, or containers with processes of their own.
      if (parts.matches()
          && parts.group(1).equals(HOST)
          && ProcessHandle.of(Long.parseLong(parts.group(2))).isEmpty()) {
        new EngineObjects(engine, owner).remove();
      }
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private static Set<String> owners(DockerClient engine) {
    Set<String> owners = new TreeSet<>();
    for (Container each : containers(engine, LABEL)) {
      add(owners, each.getLabels());
    }
    for (com.github.dockerjava.api.model.Network each : networks(engine, LABEL)) {
      add(owners, each.getLabels());
    }
    for (Image each : images(engine, LABEL)) {
      add(owners, each.getLabels());
    }
    return owners;
  }

  private static void add(Set<String> owners, @Nullable Map<String, String> labels) {
    String owner = labels == null ? null : labels.get(LABEL);
    if (owner != null) {
      owners.add(owner);
    }
  }

  private static List<Container> containers(DockerClient engine, String label) {
    return engine.listContainersCmd().withShowAll(true).withLabelFilter(List.of(label)).exec();
  }

  private static List<com.github.dockerjava.api.model.Network> networks(
      DockerClient engine, String label) {
    return engine.listNetworksCmd().withFilter("label", List.of(label)).exec();
  }

  private static List<Image> images(DockerClient engine, String label) {
    return engine.listImagesCmd().withLabelFilter(label).exec();
  }

  /** Labels that others have, if any, and that of these. */
  Map<String, String> label(@Nullable Map<String, String> others) {
    Map<String, String> labels = new HashMap<>(others == null ? Map.of() : others);
    labels.put(LABEL, owner);
    return labels;
  }

  /** A network that is one of these; made when its number is asked for. */
  Network network() {
    return Network.builder()
        .createNetworkCmdModifier(command -> command.withLabels(label(command.getLabels())))
        .build();
  }

  /**
   * Removes all of them, running containers, too. What cannot be removed is named on standard
   * error.
   */
  void remove() {
    // A thread that was interrupted has to tidy up, too.
    boolean interrupted = Thread.interrupted();
    // When the process ends, the library removes what it knows of, holding this lock. It complains
    // with stack traces about whatever somebody else removes at the same time.
    synchronized (ResourceReaper.instance()) {
      interrupted |= removeInPeace();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether it was interrupted. */
  private boolean removeInPeace() {
    try {
      for (int attempt = 1; !removedAll(attempt == ATTEMPTS); attempt++) {
        // The engine may still be ending what is in the way.
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      return true;
    } catch (RuntimeException e) {
      System.err.println(
          "containers, or what they need, are left behind (label="
              + LABEL
              + "="
              + owner
              + ", cause="
              + Failures.words(e)
              + ")");
    }
    return false;
  }

  /** Tries once; returns whether nothing is left. A network goes only after its containers. */
  private boolean removedAll(boolean last) {
    String label = LABEL + "=" + owner;
    boolean all = true;
    for (Container each : containers(engine, label)) {
      all &=
          removed(
              () ->
                  engine
                      .removeContainerCmd(each.getId())
                      .withForce(true)
                      .withRemoveVolumes(true)
                      .exec(),
              last);
    }
    for (com.github.dockerjava.api.model.Network each : networks(engine, label)) {
      all &= removed(() -> engine.removeNetworkCmd(each.getId()).exec(), last);
    }
    for (Image each : images(engine, label)) {
      all &= removed(() -> engine.removeImageCmd(each.getId()).withForce(true).exec(), last);
    }
    return all;
  }

  private static boolean removed(Runnable removal, boolean last) {
    try {
      removal.run();
      return true;
    } catch (NotFoundException e) {
      return true;
    } catch (DockerException e) {
      if (last) {
        throw e;
      }
      return false;
    }
  }
}

package io.arraywire.examples.cli;

import io.arraywire.BindFailedException;
import io.arraywire.examples.file.FileReceiver;
import io.arraywire.examples.file.PeerFailures;
import io.arraywire.examples.file.ReceiveTechnique;
import io.arraywire.examples.file.TargetFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Receives one array past the heap: {@code receive --into}. */
final class ReceiveInto {
  private final Address listen;
  private final Path into;
  private final ReceiveTechnique technique;
  private final long maxBytes;
  private final ReceiveReport report;
  private final PeerFailures failures;

  ReceiveInto(
      Address listen,
      Path into,
      ReceiveTechnique technique,
      long maxBytes,
      ReceiveReport report,
      PeerFailures failures) {
    this.listen = listen;
    this.into = into;
    this.technique = technique;
    this.maxBytes = maxBytes;
    this.report = report;
    this.failures = failures;
  }

  void run() throws IOException {
    TargetFile target = target();
    AtomicReference<@Nullable FileReceiver> listening = new AtomicReference<>();
    ExitHook hook = new ExitHook(() -> remove(target, listening.get()));
    try {
      receive(target, listening);
    } finally {
      // Not before both are closed: until then there are hidden files.
      hook.cancel();
    }
  }

  private void receive(TargetFile target, AtomicReference<@Nullable FileReceiver> listening)
      throws IOException {
    try (target;
        FileReceiver receiver = listen(target)) {
      listening.set(receiver);
      try {
        report.listening(listen.bound(receiver.address()));
        report.stored(receiver.await(), technique);
      } catch (FileSystemException e) {
        // It names the hidden file.
        throw new UnwritableException(into, e);
      }
    }
  }

  private TargetFile target() throws IOException {
    try {
      return TargetFile.of(into);
    } catch (FileSystemException e) {
      throw new UnwritableException(into, e);
    }
  }

  private FileReceiver listen(TargetFile target) throws IOException {
    try {
      return FileReceiver.listen(listen.resolve(), target, technique, maxBytes, failures);
    } catch (BindFailedException e) {
      throw Complaints.notBound(e, listen);
    }
  }

  /** On Ctrl-C: leaves no half-written file and no socket file. */
  private static void remove(TargetFile target, @Nullable FileReceiver receiver) {
    try {
      target.remove();
      if (receiver != null) {
        receiver.removeSocketFile();
      }
    } catch (IOException e) {
      // They stay: the process ends, and nobody would read a word about it.
    }
  }
}

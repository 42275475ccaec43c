package io.arraywire.examples.cli;

import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.BadMagicException;
import io.arraywire.BindFailedException;
import io.arraywire.ConnectFailedException;
import io.arraywire.ConnectionResetException;
import io.arraywire.FrameTooLargeException;
import io.arraywire.HandshakeTimeoutException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Says in one line what went wrong and what to do. */
final class Complaints {

  /** What to do, where the failure itself cannot know it: what helps depends on being a command. */
  private static final Map<Class<? extends ArraywireException>, String> ADVICE =
      Map.ofEntries(
          Map.entry(ConnectFailedException.class, "is 'arraywire receive' running there?"),
          Map.entry(BindFailedException.class, "take another port, or 0 for a free one"),
          Map.entry(BadMagicException.class, "if it speaks plain mode, use --plain"),
          Map.entry(HandshakeTimeoutException.class, "if it speaks plain mode, use --plain"),
          Map.entry(ArrayTooLargeException.class, "here that is --max-bytes"),
          Map.entry(
              FrameTooLargeException.class, "raise --max-bytes, if the sender is to be trusted"),
          Map.entry(
              ConnectionResetException.class,
              "what was not acknowledged may not have been written"));

  private Complaints() {}

  /**
   * The failure that was meant, without what asynchronous calls wrap around it.
   *
   * @param failure any failure
   * @return it or its cause
   */
  static Throwable unwrapped(Throwable failure) {
    Throwable inner = failure;
    while ((inner instanceof CompletionException || inner instanceof ExecutionException)
        && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  /**
   * A failure in words.
   *
   * @param failure any failure
   * @return one line, without the name of the command
   */
  static String words(Throwable failure) {
    Throwable inner = unwrapped(failure);
    if (inner instanceof ArraywireException arraywire) {
      String advice = ADVICE.get(arraywire.getClass());
      return arraywire.getMessage() + (advice == null ? "" : "; " + advice);
    } else if (inner instanceof UnknownHostException) {
      return "unknown host (host=" + inner.getMessage() + ")";
    } else if (inner instanceof FileSystemException file) {
      return fileSystem(file);
    } else if (inner instanceof IOException) {
      return messageOf(inner);
    } else if (inner instanceof OutOfMemoryError) {
      return "not enough memory; set ARRAYWIRE_JAVA_OPTS=-Xmx8g or more (maxHeapBytes="
          + Runtime.getRuntime().maxMemory()
          + ", cause="
          + messageOf(inner)
          + ")";
    } else if (inner instanceof InterruptedException) {
      return "interrupted";
    }
    return "failed in an unforeseen way; run it again with --verbose and report what it says"
        + " (cause="
        + inner.getClass().getName()
        + ": "
        + inner.getMessage()
        + ")";
  }

  private static String fileSystem(FileSystemException failure) {
    String what;
    if (failure instanceof NoSuchFileException) {
      what = "no such file or directory";
    } else if (failure instanceof AccessDeniedException) {
      what = "permission denied";
    } else if (failure instanceof FileAlreadyExistsException) {
      what = "exists already and is no directory";
    } else {
      what = failure.getReason() == null ? messageOf(failure) : failure.getReason();
    }
    return what + " (file=" + failure.getFile() + ")";
  }

  private static String messageOf(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}

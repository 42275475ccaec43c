package io.arraywire.examples.cli;

import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.BindFailedException;
import io.arraywire.ErrorCode;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Says in one line what went wrong and what to do. */
final class Complaints {

  /** What to do, where the failure itself cannot know it: what helps depends on being a command. */
  private static final Map<ErrorCode, String> ADVICE =
      Map.ofEntries(
          Map.entry(ErrorCode.CONNECT_FAILED, "is 'arraywire receive' running there?"),
          Map.entry(ErrorCode.HANDSHAKE_TIMEOUT, "if it speaks plain mode, use --plain"),
          Map.entry(ErrorCode.AUTHENTICATION_FAILED, "give the same --token-file at both sides"),
          Map.entry(ErrorCode.TOKEN_IN_CLEAR, "give --tls at both sides"),
          Map.entry(
              ErrorCode.TLS_MISMATCH,
              "give --tls at both sides, with --cert and --key to receive and --ca to send, or at"
                  + " neither"),
          Map.entry(
              ErrorCode.CONNECTION_RESET, "what was not acknowledged may not have been written"));

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
   * Why something failed, without what it was part of and what became of that.
   *
   * @param failure any failure
   * @return it or what caused it
   */
  static Throwable reason(Throwable failure) {
    Throwable inner = unwrapped(failure);
    return isPart(inner) && inner.getCause() != null ? unwrapped(inner.getCause()) : inner;
  }

  /** Whether its own words are about what was going on, and its cause says why it failed. */
  private static boolean isPart(Throwable failure) {
    return failure instanceof UnfinishedSendException || failure instanceof BrokenOffException;
  }

  /**
   * A failure in words.
   *
   * @param failure any failure
   * @return one line, without the name of the command
   */
  static String words(Throwable failure) {
    Throwable inner = unwrapped(failure);
    if (isPart(inner)) {
      return words(reason(inner)) + "; " + inner.getMessage();
    } else if (inner instanceof RemoteRejectedException rejected) {
      return once(messageOf(rejected));
    } else if (inner instanceof ArraywireException arraywire) {
      String advice = advice(arraywire);
      return arraywire.getMessage() + (advice == null ? "" : "; " + advice);
    } else if (inner instanceof UnknownHostException) {
      return "unknown host (host=" + inner.getMessage() + ")";
    } else if (inner instanceof FileSystemException file) {
      return fileSystem(file);
    } else if (inner instanceof IOException) {
      return messageOf(inner);
    } else if (inner instanceof OutOfMemoryError) {
      long now = Runtime.getRuntime().maxMemory();
      return "not enough memory; "
          + moreHeap(2 * now)
          + " (maxHeapBytes="
          + now
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

  /**
   * The far side's words end with facts of their own. Those of this side, which follow, say only
   * where it was sent, as the command line does.
   */
  private static String once(String message) {
    return message.replaceFirst("(?<=\\)) \\((request=\\d+, )?channel=\\d+, peer=.*\\)$", "");
  }

  /**
   * How to have a larger heap.
   *
   * @param bytes how large it has to be
   * @return a clause without a verb's subject
   */
  static String moreHeap(long bytes) {
    return "set ARRAYWIRE_JAVA_OPTS=-Xmx" + (((bytes - 1) >> 20) + 1) + "m or more";
  }

  private static @Nullable String advice(ArraywireException failure) {
    if (failure instanceof ArrayTooLargeException) {
      return tooLarge(failure.facts());
    }
    if (ErrorCode.FRAME_TOO_LARGE.isOf(failure)) {
      // Other limits than this one have no option.
      return says(failure, "maxArrayBytes")
          ? "that is --max-bytes; raise it, if you trust the sender"
          : null;
    }
    if (ErrorCode.BAD_MAGIC.isOf(failure) || ErrorCode.NEGOTIATION_FAILED.isOf(failure)) {
      return says(failure, "plain mode") ? "that is --plain" : null;
    }
    if (ErrorCode.TRUNCATED.isOf(failure)) {
      return says(failure, "handshake") ? "if it is in plain mode, use --plain" : null;
    }
    if (ErrorCode.CERTIFICATE_REFUSED.isOf(failure)) {
      return certificate(failure);
    }
    // What both sides have to do is said at both.
    return failure instanceof RemoteErrorException && failure.code() != ErrorCode.TLS_MISMATCH
        ? null
        : ADVICE.get(failure.code());
  }

  /** The library speaks of the setting that is missing, and a command has an option for it. */
  private static @Nullable String certificate(ArraywireException failure) {
    if (says(failure, "certificate(chain, key)")) {
      return "that is --cert and --key";
    }
    return says(failure, "add its issuer to the trusted authorities")
        ? "that is --ca with the issuer's certificate"
        : null;
  }

  /** Whose limit it is decides where an option helps. */
  private static String tooLarge(Map<String, Object> facts) {
    boolean here =
        facts.get("bytes") instanceof Long bytes
            && facts.get("here") instanceof Long limit
            && bytes > limit;
    boolean peer =
        facts.get("bytes") instanceof Long bytes
            && facts.get("peer") instanceof Long limit
            && bytes > limit;
    if (here && peer) {
      return "that is --max-bytes of both 'arraywire send' and 'arraywire receive'";
    }
    return here
        ? "that is --max-bytes of this command"
        : "the limit is the peer's; for 'arraywire receive' that is its --max-bytes";
  }

  /**
   * An address cannot be listened on.
   *
   * @param failure what was said
   * @param address the address
   * @return the same, with advice where the failure has none
   */
  static IOException notBound(BindFailedException failure, Address address) {
    String advice = bindAdvice(failure, address);
    String said = String.valueOf(failure.getMessage());
    return new IOException(advice == null ? said : said + "; " + advice, failure);
  }

  private static @Nullable String bindAdvice(BindFailedException failure, Address address) {
    if (says(failure, "in use")) {
      return null; // the failure says what to do
    }
    if (address.port() == Address.UNIX) {
      return "take a path in a directory that is there and may be written to";
    }
    if (says(failure, "permission denied")) {
      return "take a port above 1023, or 0 for a free one";
    }
    return "take an address of this host, localhost, or 0.0.0.0 for all of them";
  }

  private static boolean says(Throwable failure, String words) {
    return messageOf(failure).toLowerCase(Locale.ROOT).contains(words.toLowerCase(Locale.ROOT));
  }

  private static String fileSystem(FileSystemException failure) {
    return reason(failure) + " (file=" + failure.getFile() + ")";
  }

  /**
   * What the system says, without the file.
   *
   * @param failure a failure to read or write
   * @return a few words
   */
  static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or directory";
    } else if (failure instanceof AccessDeniedException) {
      return "permission denied";
    } else if (failure instanceof FileAlreadyExistsException) {
      return "exists already and is no directory";
    } else if (failure instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return messageOf(failure);
  }

  private static String messageOf(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}

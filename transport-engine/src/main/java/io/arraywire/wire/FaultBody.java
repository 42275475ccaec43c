package io.arraywire.wire;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.frame.FrameLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The body of an error or rejected frame and of a reject: a code, and words for people. Stateless;
 * any thread.
 */
public final class FaultBody {
  private static final int MOST_TEXT_BYTES = 960;

  private FaultBody() {}

  /**
   * Writes a body.
   *
   * @param fault what happened; its text is cut to fit
   * @return at most {@link FrameLayout#MAX_CONTROL_BYTES} bytes
   */
  public static byte[] write(ArraywireException fault) {
    return FaultFields.write(number(fault), text(fault, MOST_TEXT_BYTES));
  }

  /**
   * Reads a body.
   *
   * @param bytes its bytes
   * @return code and text, as the exception that this side reports for it
   * @throws ProtocolException if they are not a body
   */
  public static RemoteErrorException read(byte[] bytes) throws ProtocolException {
    FaultFields fault = new FaultFields();
    try {
      ProtoBytes.read(bytes, fault);
    } catch (IOException e) {
      throw HandshakeMessage.malformed(
          "the body of an error frame is not the protobuf message that it must be", e);
    }
    return remote(fault.code, fault.text);
  }

  /**
   * Reads the body of an ERROR, which ends the connection whatever is in it.
   *
   * @param bytes its bytes
   * @return code and text; of a body that cannot be read {@link ErrorCode#INTERNAL}
   */
  public static RemoteErrorException readLast(byte[] bytes) {
    try {
      return read(bytes);
    } catch (ProtocolException e) {
      RemoteErrorException unreadable =
          new RemoteErrorException(
              ErrorCode.INTERNAL, "it ends the connection, and its reason cannot be read");
      unreadable.initCause(e);
      return unreadable;
    }
  }

  static int number(ArraywireException fault) {
    return fault.code().number();
  }

  /** The text of a fault, cut to fit. */
  static String text(ArraywireException fault, int mostTextBytes) {
    String text =
        fault instanceof RemoteErrorException remote
            ? remote.reason()
            : String.valueOf(fault.getMessage());
    while (text.getBytes(StandardCharsets.UTF_8).length > mostTextBytes) {
      text = text.substring(0, text.length() * 3 / 4);
    }
    // A cut in the middle of a surrogate pair would not be UTF-8.
    if (!text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1))) {
      text = text.substring(0, text.length() - 1);
    }
    return text;
  }

  /** A refusal in the handshake is reported here with the class that it has over there. */
  static ArraywireException asHandshakeFault(FaultFields fault) {
    String text = "the listener refused: " + Words.printable(fault.text);
    if (fault.code == ErrorCode.UNSUPPORTED_VERSION.number()) {
      return new ProtocolException(ErrorCode.UNSUPPORTED_VERSION, text);
    } else if (fault.code == ErrorCode.AUTHENTICATION_FAILED.number()) {
      return new HandshakeException(ErrorCode.AUTHENTICATION_FAILED, text);
    } else if (fault.code == ErrorCode.NEGOTIATION_FAILED.number()) {
      return new HandshakeException(ErrorCode.NEGOTIATION_FAILED, text);
    } else if (fault.code == ErrorCode.RESUME_REJECTED.number()) {
      return new ConnectionLostException(ErrorCode.RESUME_REJECTED, text);
    }
    return remote(fault.code, fault.text);
  }

  static RemoteErrorException remote(int number, String text) {
    ErrorCode code = ErrorCode.fromNumber(number);
    return new RemoteErrorException(
        code == null ? ErrorCode.INTERNAL : code,
        Words.printable(text),
        "code",
        code == null ? Integer.toUnsignedLong(number) : code);
  }
}

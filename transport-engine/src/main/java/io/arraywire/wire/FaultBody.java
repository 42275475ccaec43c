package io.arraywire.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.frame.FrameLayout;
import io.arraywire.wire.proto.Fault;
import java.nio.charset.StandardCharsets;

/** The body of an error or rejected frame and of a reject: a code, and words for people. */
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
    return of(fault).toByteArray();
  }

  /**
   * Reads a body.
   *
   * @param bytes its bytes
   * @return code and text, as the exception that this side reports for it
   * @throws ProtocolException if they are not a body
   */
  public static RemoteErrorException read(byte[] bytes) throws ProtocolException {
    try {
      return remote(Fault.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw HandshakeMessage.malformed(
          "the body of an error frame is not the protobuf message that it must be", e);
    }
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

  static Fault of(ArraywireException fault) {
    return of(fault, MOST_TEXT_BYTES);
  }

  private static Fault of(ArraywireException fault, int mostTextBytes) {
    return Fault.newBuilder()
        .setCode(fault.code().number())
        .setText(text(fault, mostTextBytes))
        .build();
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
  static ArraywireException asHandshakeFault(Fault fault) {
    String text = "the listener refused: " + Words.printable(fault.getText());
    if (fault.getCode() == ErrorCode.UNSUPPORTED_VERSION.number()) {
      return new ProtocolException(ErrorCode.UNSUPPORTED_VERSION, text);
    } else if (fault.getCode() == ErrorCode.AUTHENTICATION_FAILED.number()) {
      return new HandshakeException(ErrorCode.AUTHENTICATION_FAILED, text);
    } else if (fault.getCode() == ErrorCode.NEGOTIATION_FAILED.number()) {
      return new HandshakeException(ErrorCode.NEGOTIATION_FAILED, text);
    } else if (fault.getCode() == ErrorCode.RESUME_REJECTED.number()) {
      return new ConnectionLostException(ErrorCode.RESUME_REJECTED, text);
    }
    return remote(fault);
  }

  private static RemoteErrorException remote(Fault fault) {
    return remote(fault.getCode(), fault.getText());
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

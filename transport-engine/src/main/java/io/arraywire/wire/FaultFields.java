package io.arraywire.wire;

import static io.arraywire.wire.ProtoBytes.BYTES;
import static io.arraywire.wire.ProtoBytes.VARINT;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/** The message {@code Fault} of {@code handshake.proto}. */
final class FaultFields implements ProtoBytes.FieldReader {
  int code;
  String text = "";

  static byte[] write(int code, String text) {
    return ProtoBytes.write(out -> {
      ProtoBytes.putUnsigned(out, 1, code);
      ProtoBytes.putText(out, 2, text);
    });
  }

  @Override
  public boolean read(int tag, CodedInputStream in) throws IOException {
    switch (tag) {
      case 1 << 3 | VARINT -> code = in.readUInt32();
      case 2 << 3 | BYTES -> text = in.readStringRequireUtf8();
      default -> {
        return false;
      }
    }
    return true;
  }
}

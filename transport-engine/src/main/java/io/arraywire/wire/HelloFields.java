package io.arraywire.wire;

import static io.arraywire.wire.ProtoBytes.BYTES;
import static io.arraywire.wire.ProtoBytes.VARINT;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The message {@code Hello} of {@code handshake.proto}, whose comments say what its fields mean.
 */
final class HelloFields implements ProtoBytes.FieldReader {
  static final int LITTLE_ENDIAN = 1;
  static final int BIG_ENDIAN = 2;

  private static final byte[] NOTHING = {};

  final TreeMap<Integer, String> encodings = new TreeMap<>();
  final TreeSet<Integer> elementTypes = new TreeSet<>();
  int nativeOrder;
  long maxArrayBytes;
  int maxFrameBytes;
  boolean checksums;
  byte[] token = NOTHING;
  String library = "";
  String libraryVersion = "";
  int wireVersion;
  int channels;
  long channelCredit;
  long connectionCredit;
  int heartbeatMillis;
  long sessionMillis;
  byte[] session = NOTHING;
  byte[] sessionToken = NOTHING;
  int subscriptions;

  /** Writes the fields in the order of their numbers. */
  byte[] write() {
    return ProtoBytes.write(out -> {
      for (Map.Entry<Integer, String> each : encodings.entrySet()) {
        out.writeByteArray(1, encoding(each.getKey(), each.getValue()));
      }
      if (!elementTypes.isEmpty()) {
        out.writeByteArray(2, ProtoBytes.write(this::putElementTypes));
      }
      ProtoBytes.putUnsigned(out, 3, nativeOrder);
      ProtoBytes.putUnsigned(out, 4, maxArrayBytes);
      ProtoBytes.putUnsigned(out, 5, maxFrameBytes);
      if (checksums) {
        out.writeBool(6, true);
      }
      ProtoBytes.putBytes(out, 7, token);
      ProtoBytes.putText(out, 8, library);
      // Not 9: the text of this library has its version, too.
      ProtoBytes.putUnsigned(out, 10, wireVersion);
      ProtoBytes.putUnsigned(out, 11, channels);
      ProtoBytes.putUnsigned(out, 12, channelCredit);
      ProtoBytes.putUnsigned(out, 13, connectionCredit);
      ProtoBytes.putUnsigned(out, 14, heartbeatMillis);
      ProtoBytes.putUnsigned(out, 15, sessionMillis);
      ProtoBytes.putBytes(out, 16, session);
      ProtoBytes.putBytes(out, 17, sessionToken);
      ProtoBytes.putUnsigned(out, 21, subscriptions);
    });
  }

  private static byte[] encoding(int code, String name) {
    return ProtoBytes.write(out -> {
      ProtoBytes.putUnsigned(out, 1, code);
      ProtoBytes.putText(out, 2, name);
    });
  }

  private void putElementTypes(CodedOutputStream out) throws IOException {
    for (int type : elementTypes) {
      out.writeUInt32NoTag(type);
    }
  }

  @Override
  public boolean read(int tag, CodedInputStream in) throws IOException {
    switch (tag) {
      case 1 << 3 | BYTES -> readEncoding(in);
      case 2 << 3 | BYTES -> readElementTypes(in);
      // Also one by one, as the encoding allows.
      case 2 << 3 | VARINT -> elementTypes.add(in.readUInt32());
      case 3 << 3 | VARINT -> nativeOrder = in.readEnum();
      case 4 << 3 | VARINT -> maxArrayBytes = in.readUInt64();
      case 5 << 3 | VARINT -> maxFrameBytes = in.readUInt32();
      case 6 << 3 | VARINT -> checksums = in.readBool();
      case 7 << 3 | BYTES -> token = in.readByteArray();
      case 8 << 3 | BYTES -> library = in.readStringRequireUtf8();
      case 9 << 3 | BYTES -> libraryVersion = in.readStringRequireUtf8();
      case 10 << 3 | VARINT -> wireVersion = in.readUInt32();
      case 11 << 3 | VARINT -> channels = in.readUInt32();
      case 12 << 3 | VARINT -> channelCredit = in.readUInt64();
      case 13 << 3 | VARINT -> connectionCredit = in.readUInt64();
      case 14 << 3 | VARINT -> heartbeatMillis = in.readUInt32();
      case 15 << 3 | VARINT -> sessionMillis = in.readUInt64();
      case 16 << 3 | BYTES -> session = in.readByteArray();
      case 17 << 3 | BYTES -> sessionToken = in.readByteArray();
      case 21 << 3 | VARINT -> subscriptions = in.readUInt32();
      default -> {
        return false;
      }
    }
    return true;
  }

  private void readEncoding(CodedInputStream in) throws IOException {
    EncodingName read = new EncodingName();
    ProtoBytes.readMessage(in, read);
    encodings.put(read.code, read.name);
  }

  private void readElementTypes(CodedInputStream in) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    while (in.getBytesUntilLimit() > 0) {
      elementTypes.add(in.readUInt32());
    }
    in.popLimit(outer);
  }

  private static final class EncodingName implements ProtoBytes.FieldReader {
    private int code;
    private String name = "";

    @Override
    public boolean read(int tag, CodedInputStream in) throws IOException {
      switch (tag) {
        case 1 << 3 | VARINT -> code = in.readUInt32();
        case 2 << 3 | BYTES -> name = in.readStringRequireUtf8();
        default -> {
          return false;
        }
      }
      return true;
    }
  }
}

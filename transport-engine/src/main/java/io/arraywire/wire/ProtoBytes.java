package io.arraywire.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The few things that this package needs of protobuf. It takes the two classes of protobuf-java
 * that are the same in all of its versions; generated classes are not. Functions, for any thread.
 */
final class ProtoBytes {
  /** Wire types, which a tag has beside the number of its field. */
  static final int VARINT = 0;

  static final int BYTES = 2;

  private ProtoBytes() {}

  /** Writes the fields of a message. */
  interface Writer {
    void writeTo(CodedOutputStream out) throws IOException;
  }

  /** Takes one field of a message; returns false if it does not know the tag. */
  interface FieldReader {
    boolean read(int tag, CodedInputStream in) throws IOException;
  }

  static byte[] write(Writer fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      fields.writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written to", e);
    }
    return bytes.toByteArray();
  }

  /** Reads a whole message. Fields that nobody knows are skipped. */
  static void read(byte[] bytes, FieldReader fields) throws IOException {
    read(CodedInputStream.newInstance(bytes), fields);
  }

  /** Reads a message inside a message. */
  static void readMessage(CodedInputStream in, FieldReader fields) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    read(in, fields);
    in.popLimit(outer);
  }

  private static void read(CodedInputStream in, FieldReader fields) throws IOException {
    int tag = in.readTag();
    while (tag != 0 && (fields.read(tag, in) || in.skipField(tag))) {
      tag = in.readTag();
    }
    // Anything but the end is the end of a group that did not begin.
    in.checkLastTagWas(0);
  }

  // proto3 leaves out what is 0, false or empty.

  static void putUnsigned(CodedOutputStream out, int field, int value) throws IOException {
    if (value != 0) {
      out.writeUInt32(field, value);
    }
  }

  static void putUnsigned(CodedOutputStream out, int field, long value) throws IOException {
    if (value != 0) {
      out.writeUInt64(field, value);
    }
  }

  static void putText(CodedOutputStream out, int field, String value) throws IOException {
    if (!value.isEmpty()) {
      out.writeString(field, value);
    }
  }

  static void putBytes(CodedOutputStream out, int field, byte[] value) throws IOException {
    if (value.length > 0) {
      out.writeByteArray(field, value);
    }
  }
}

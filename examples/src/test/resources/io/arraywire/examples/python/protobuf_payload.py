# Reads a protobuf payload and writes the same values again with Python's own protobuf:
#   python3 protobuf_payload.py float|double|sfixed32|sfixed64 IN OUT
# Prints each value's bits. The message is: repeated TYPE values = 1.
import struct, sys
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

kind, source, target = sys.argv[1:]
field = descriptor_pb2.FieldDescriptorProto
file = descriptor_pb2.FileDescriptorProto(name="values.proto", package="test", syntax="proto3")
file.message_type.add(name="Values").field.add(
    name="values", number=1, label=field.LABEL_REPEATED, type=getattr(field, "TYPE_" + kind.upper()))
pool = descriptor_pool.DescriptorPool()
pool.Add(file)
Values = message_factory.GetMessageClass(pool.FindMessageTypeByName("test.Values"))

with open(source, "rb") as payload:
    message = Values.FromString(payload.read())
code = {"float": "f", "double": "d", "sfixed32": "i", "sfixed64": "q"}[kind]
print(" ".join(struct.pack("<" + code, value).hex() for value in message.values))
with open(target, "wb") as payload:
    payload.write(Values(values=list(message.values)).SerializeToString())

package io.arraywire.nio;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** The functions of the C library. Not to be asked without native access: a JDK warns its user. */
final class CLibrary {
  private CLibrary() {}

  /** A function that can be called; fails if there is none of that name. */
  @SuppressWarnings("restricted") // What the user grants with --enable-native-access.
  static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), type, options);
  }
}

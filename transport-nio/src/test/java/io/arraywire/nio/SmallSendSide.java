package io.arraywire.nio;

/** One side of a connection over which small arrays go, in classes of its own. */
final class SmallSendSide {
  final Class<?> sends;
  final Class<?> counts;

  SmallSendSide(CountingLoader.What what) throws ReflectiveOperationException {
    CountingLoader loader = new CountingLoader(what);
    sends = loader.loadClass(SmallSends.class.getName());
    counts = loader.loadClass(SideCounts.class.getName());
  }

  Object call(Class<?> on, String method, Object... arguments) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(sends.getClassLoader());
    try {
      Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {int.class};
      return on.getMethod(method, types).invoke(null, arguments);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  String places() throws Exception {
    return String.valueOf(call(counts, "places"));
  }
}

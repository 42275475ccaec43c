package io.arraywire.nio;

import java.io.IOException;
import java.io.InputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Loads the library and its tests once more, and has {@link SideCounts} count what they do. What
 * the JDK and Netty do is not counted.
 */
final class CountingLoader extends ClassLoader {
  private static final String OURS = "io.arraywire.";
  private static final String COUNTS = SideCounts.class.getName();

  /** What is counted. */
  enum What {
    /** Every monitor and every {@code Lock} that is taken, by method. */
    LOCKS,
    /** Every call of a class of the engine or the transport, by the file of the caller. */
    CALLS
  }

  private final What what;

  CountingLoader(What what) {
    super(CountingLoader.class.getClassLoader());
    this.what = what;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      if (!name.equals(COUNTS)) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Counting(writer, name, what), 0);
        bytes = writer.toByteArray();
      }
      return defineClass(name, bytes, 0, bytes.length, getClass().getProtectionDomain());
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static final class Counting extends ClassVisitor {
    private final String name;
    private final What what;

    Counting(ClassVisitor next, String name, What what) {
      super(Opcodes.ASM9, next);
      this.name = name;
      this.what = what;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
      return what == What.LOCKS
          ? new Locks(next, access, simple(name) + '.' + method)
          : new Calls(next, name);
    }
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** Puts counts into a method. */
  private abstract static class Counts extends MethodVisitor {
    private final String place;

    Counts(MethodVisitor next, String place) {
      super(Opcodes.ASM9, next);
      this.place = place;
    }

    final void count() {
      super.visitLdcInsn(place);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, COUNTS.replace('.', '/'), "done", "(Ljava/lang/String;)V", false);
    }
  }

  private static final class Locks extends Counts {
    private final int access;

    Locks(MethodVisitor next, int access, String place) {
      super(next, place);
      this.access = access;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
        count();
      }
    }

    @Override
    public void visitInsn(int opcode) {
      super.visitInsn(opcode);
      if (opcode == Opcodes.MONITORENTER) {
        count();
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String called, String form, boolean ofInterface) {
      super.visitMethodInsn(opcode, owner, called, form, ofInterface);
      if (owner.startsWith("java/util/concurrent/locks/")
          && (called.equals("lock")
              || called.equals("lockInterruptibly")
              || called.equals("tryLock"))) {
        count();
      }
    }
  }

  private static final class Calls extends Counts {
    private final String file;
    private final boolean counts;

    Calls(MethodVisitor next, String type) {
      super(next, simple(outer(type)));
      file = outer(type).replace('.', '/');
      counts = isOnTheWay(file) && !file.endsWith("SmallSends");
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String called, String form, boolean ofInterface) {
      if (counts && isOnTheWay(owner) && !outer(owner).equals(file)) {
        count();
      }
      super.visitMethodInsn(opcode, owner, called, form, ofInterface);
    }

    private static String outer(String type) {
      int nested = type.indexOf('$');
      return nested < 0 ? type : type.substring(0, nested);
    }

    private static boolean isOnTheWay(String type) {
      return type.startsWith("io/arraywire/engine/") || type.startsWith("io/arraywire/nio/");
    }
  }
}

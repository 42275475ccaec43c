package io.arraywire.nio;

import java.io.IOException;
import java.io.InputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Loads the library and its tests once more, and has every monitor and every {@code Lock} that they
 * take counted by {@link LockCounts}. What the JDK and Netty take is not counted.
 */
final class LockCountingLoader extends ClassLoader {
  private static final String OURS = "io.arraywire.";
  private static final String COUNTS = LockCounts.class.getName();

  LockCountingLoader() {
    super(LockCountingLoader.class.getClassLoader());
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
        reader.accept(new Counting(writer, name), 0);
        bytes = writer.toByteArray();
      }
      return defineClass(name, bytes, 0, bytes.length, getClass().getProtectionDomain());
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static final class Counting extends ClassVisitor {
    private final String type;

    Counting(ClassVisitor next, String name) {
      super(Opcodes.ASM9, next);
      type = name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String descriptor, String signature, String[] exceptions) {
      String place = type + '.' + method;
      return new MethodVisitor(
          Opcodes.ASM9, super.visitMethod(access, method, descriptor, signature, exceptions)) {
        private void count() {
          super.visitLdcInsn(place);
          super.visitMethodInsn(
              Opcodes.INVOKESTATIC,
              COUNTS.replace('.', '/'),
              "taken",
              "(Ljava/lang/String;)V",
              false);
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
      };
    }
  }
}

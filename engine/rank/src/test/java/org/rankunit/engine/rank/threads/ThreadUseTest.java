package org.rankunit.engine.rank.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Which tests are likely to make threads, told from class files that are made here. */
@Tag("unit")
class ThreadUseTest {

    private final Map<String, byte[]> files = new HashMap<>();
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @BeforeEach
    void showFiles() {
        Thread.currentThread().setContextClassLoader(new ClassLoader(null) {
            @Override
            public @Nullable InputStream getResourceAsStream(String name) {
                byte[] file = files.get(name);
                return file == null ? null : new ByteArrayInputStream(file);
            }
        });
    }

    @AfterEach
    void hideFiles() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @ParameterizedTest
    @CsvSource({
        "java/lang/Thread, <init>, true",
        "java/lang/Thread, startVirtualThread, true",
        "java/lang/Thread, ofPlatform, true",
        "java/util/Timer, <init>, true",
        "java/util/concurrent/Executors, newCachedThreadPool, true",
        "java/util/concurrent/CompletableFuture, runAsync, true",
        "java/util/Collection, parallelStream, true",
        "java/util/stream/IntStream, parallel, true",
        "java/util/Arrays, parallelSort, true",
        "groovy/lang/Anything, parallelEach, true",
        "java/util/TimerTask, cancel, false",
        "user/Settings, parallelism, false",
        "java/lang/Thread, currentThread, false",
        "java/lang/Thread, onSpinWait, false",
        "java/lang/Thread, sleep, false",
        "java/util/concurrent/Semaphore, <init>, false",
    })
    void aClassThatCallsWhatMakesThreads(String owner, String method, boolean makesThreads) {
        define("user/OfTest", owner, method);

        assertThat(new ThreadUse().isNewIn("[engine:rankunit]/[class:user.OfTest]/[method:test()]"))
                .isEqualTo(makesThreads);
    }

    @Test
    void aClassThatUsesSuchAClass() {
        define("user/OfTest", "user/Helper", "help");
        define("user/Helper", "user/Pool", "submit");
        define("user/Pool", "java/lang/Thread", "<init>");

        assertThat(new ThreadUse().isNewIn("[class:user.OfTest]")).isTrue();
    }

    @Test
    void aClassIsLookedAtOnce() {
        define("user/OfTest$Inner", "java/lang/Thread", "<init>");
        ThreadUse uses = new ThreadUse();

        assertThat(uses.isNewIn("[class:user.OfTest]/[nested-class:Inner]")).isTrue();
        assertThat(uses.isNewIn("[class:user.OfTest]/[nested-class:Inner]")).isFalse();
    }

    @Test
    void classesOfTheEngineAreNotLookedAt() throws IOException {
        hideFiles();
        Class<?> usesThreads = ThreadUse.class;
        try (InputStream file = usesThreads.getResourceAsStream(usesThreads.getSimpleName() + ".class")) {
            assertThat(new String(file.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .contains("Executor");
        }

        assertThat(new ThreadUse().isNewIn("[class:" + usesThreads.getName() + "]"))
                .isFalse();
    }

    private void define(String name, String calledClass, String calledMethod) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "test", "()V", null, null);
        method.visitCode();
        method.visitMethodInsn(Opcodes.INVOKESTATIC, calledClass, calledMethod, "()V", false);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(1, 1);
        method.visitEnd();
        writer.visitEnd();
        files.put(name + ".class", writer.toByteArray());
    }
}

package org.rankunit.engine.launch.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.launch.ExitStatus;

@Tag("ranks")
class CrashReportTest {

    private static final String BEGIN = """
            #
            #  SIGSEGV (0xb) at pc=0x00007f94199c4105, pid=31726, tid=31729
            #
            # Problematic frame:
            # C  [libscale.so+0x1105]  deep(int volatile*)+0xc
            #
            Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
            C  [libscale.so+0x1105]  deep(int volatile*)+0xc
            C  [libc.so.6+0x2a1ca]
            C  [libscale.so+0x112c]
            C  [librankunit_sim.so+0x9044]  rankunit_launch+0x20
            C  [jna11498321070253531043.tmp+0x16052]
            """;

    private static final String JAVA = """

            Java frames: (J=compiled Java code, j=interpreted, Vv=VM code)
            j  com.sun.jna.Native.invokeInt(Lcom/sun/jna/Function;JI[Ljava/lang/Object;)I+0
            J 120 c1 org.rankunit.device.Device.launch(JI)V (52 bytes) @ 0x00007f9e1 [0x00007f9e0+0x40]
            j  org.example.ScaleTest.scales(Lorg/rankunit/RankContext;)V+24
            v  ~StubRoutines::call_stub
            j  jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Ljava/lang/reflect/Method;)V+0 java.base@17.0.15
            J 12 c2 org.example.OwnExtension.around(Ljava/lang/Runnable;)V (9 bytes) @ 0x00007f9e1 [0x00007f9e0+0x40]
            j  org.junit.jupiter.engine.Invoker.proceed()V+1
            v  ~StubRoutines::call_stub

            siginfo: si_signo: 11 (SIGSEGV), si_code: 1 (SEGV_MAPERR), si_addr: 0x0000000000000010
            """;

    @Test
    void framesOfTheUserLeadAndOthersAreCounted() {
        assertThat(CrashReport.head(BEGIN + JAVA)).isEqualTo("""
                in deep(int volatile*)+0xc (libscale.so+0x1105)
                (1 frame of Java, JUnit and the system)
                from libscale.so+0x112c
                (4 frames of RankUnit and JNA)
                from org.example.ScaleTest.scales
                (2 frames of Java, JUnit and the system)
                from org.example.OwnExtension.around
                SIGSEGV (0xb) at pc=0x00007f94199c4105, pid=31726, tid=31729
                problematic frame: C  [libscale.so+0x1105]  deep(int volatile*)+0xc""");
    }

    @Test
    void aCrashIsTheSignalOfItsReportWhateverTheJvmExitsWith(@TempDir Path folder) throws IOException {
        Path report = Files.writeString(folder.resolve("hs_err.log"), BEGIN + JAVA);
        Path none = folder.resolve("none");

        assertThat(ProcessEnd.describe(new ExitStatus(1), report, none))
                .isEqualTo("crashed in native code and was ended by SIGSEGV");
        assertThat(ProcessEnd.describe(new ExitStatus(1), none, none)).isEqualTo("exited with code 1");
        assertThat(ProcessEnd.describe(new ExitStatus(134), none, none))
                .isEqualTo("was killed by SIGABRT (exit code 134)");
    }

    @Test
    void aReportThatBreaksOffSaysWhatItHas() {
        assertThat(CrashReport.head(BEGIN.substring(0, BEGIN.indexOf("Native frames"))))
                .isEqualTo("""
                SIGSEGV (0xb) at pc=0x00007f94199c4105, pid=31726, tid=31729
                problematic frame: C  [libscale.so+0x1105]  deep(int volatile*)+0xc""");
    }

    @Test
    void aCrashInOneOfOurLibrariesIsToldWithTheLineThatCalledIt() {
        String report = (BEGIN + JAVA)
                .lines()
                .filter(line -> !line.contains("libscale") || line.startsWith("#"))
                .reduce("", (a, b) -> a + b + "\n");

        assertThat(CrashReport.head(report)).startsWith("""
                        (1 frame of Java, JUnit and the system)
                        (4 frames of RankUnit and JNA)
                        from org.example.ScaleTest.scales
                        """);
    }

    @Test
    void aLineOfJavaIsFoundByTheClassFile() {
        String type = CrashReportTest.class.getName();
        CrashFrame frame = CrashFrame.of("j  " + type + ".aLineOfJavaIsFoundByTheClassFile()V+0")
                .orElseThrow();

        assertThat(SourceLines.ofJava((CrashFrame.Java) frame))
                .hasValueSatisfying(line -> assertThat(line).matches("CrashReportTest\\.java:\\d+"));
        assertThat(SourceLines.ofJava(new CrashFrame.Java(type, "aLineOfJavaIsFoundByTheClassFile", "()V", -1)))
                .contains("CrashReportTest.java");
        assertThat(SourceLines.ofJava(new CrashFrame.Java("org.example.Missing", "m", "()V", 0)))
                .isEmpty();
    }

    @Test
    void aLibraryWithoutDebugInformationHasNoLine() {
        assertThat(SourceLines.ofNative(Path.of("/proc/self/exe"), 1)).isEmpty();
        assertThat(SourceLines.ofNative(Path.of("/there/is/none.so"), 1)).isEmpty();
    }
}

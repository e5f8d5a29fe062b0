package org.rankunit.engine.launch.crash;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.engine.protocol.UserCode;

/** One frame in the crash report of a JVM. */
sealed interface CrashFrame {

    /** Whose code it is. Frames outside of user code are of little help to the user. */
    enum Owner {
        USER("the user"),
        RANKUNIT("RankUnit and JNA"),
        OTHER("Java, JUnit and the system");

        final String text;

        Owner(String text) {
            this.text = text;
        }
    }

    Owner owner();

    /** {@code C  [libscale.so+0x1130]  scale+0x10}; the symbol may be empty. */
    record Native(String library, long offset, String symbol) implements CrashFrame {

        private static final Pattern RANKUNITS = Pattern.compile("librankunit_.*|libjnidispatch.*|jna\\d+\\.tmp");
        private static final Pattern SYSTEMS =
                Pattern.compile("(libc|libm|libpthread|libdl|librt|libstdc\\+\\+|libgcc_s|ld-linux.*)[.-].*|\\[?vdso.*"
                        + "|lib(jvm|java|jli|nio|net|zip|jimage|verify|instrument|j9.*)\\.so");

        @Override
        public Owner owner() {
            if (RANKUNITS.matcher(library).matches()) {
                return Owner.RANKUNIT;
            }
            return SYSTEMS.matcher(library).matches() ? Owner.OTHER : Owner.USER;
        }

        /** Such as {@code libscale.so+0x1130}. */
        String address() {
            return library + "+0x" + Long.toHexString(offset);
        }
    }

    /**
     * {@code j  org.example.ScaleTest.crashes(Lorg/rankunit/RankContext;)V+24}.
     *
     * @param index of the instruction in the method; -1 if it is not known, as in compiled code
     */
    record Java(String type, String method, String descriptor, int index) implements CrashFrame {

        @Override
        public Owner owner() {
            if (UserCode.isRankUnits(type)) {
                return Owner.RANKUNIT;
            }
            return UserCode.includes(type) ? Owner.USER : Owner.OTHER;
        }
    }

    /** A frame of the JVM itself. */
    record Vm() implements CrashFrame {

        @Override
        public Owner owner() {
            return Owner.OTHER;
        }
    }

    Pattern NATIVE_LINE = Pattern.compile("C +\\[(.+?)\\+0x([0-9a-f]{1,15})\\] *(.*)");
    Pattern JAVA_LINE =
            Pattern.compile("[jJA] +(?:.* )?([\\w.$/+]+)\\.([\\w$<>]+)(\\([^ ]*?\\)[^ +]+)(?:\\+(\\d{1,9}))?(?: .*)?");
    Pattern VM_LINE = Pattern.compile("[vVC] +.*");

    /** Parse one line of a report; empty if it is not a frame. */
    static Optional<CrashFrame> of(String line) {
        Matcher nativeLine = NATIVE_LINE.matcher(line);
        if (nativeLine.matches()) {
            return Optional.of(new Native(
                    nativeLine.group(1),
                    Long.parseLong(nativeLine.group(2), 16),
                    nativeLine.group(3).strip()));
        }
        Matcher javaLine = JAVA_LINE.matcher(line);
        if (javaLine.matches()) {
            String index = javaLine.group(4);
            return Optional.of(new Java(
                    javaLine.group(1),
                    javaLine.group(2),
                    javaLine.group(3),
                    index == null ? -1 : Integer.parseInt(index)));
        }
        return VM_LINE.matcher(line).matches() ? Optional.of(new Vm()) : Optional.empty();
    }
}

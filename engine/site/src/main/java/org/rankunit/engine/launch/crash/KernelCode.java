package org.rankunit.engine.launch.crash;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a kernel is in its code, as lines of its sources. */
public final class KernelCode {

    /** As {@code device_code_of} writes it. */
    private static final Pattern CODE = Pattern.compile("(/.*/([^/]+))\\+0x([0-9a-f]+)");

    private static final int MAX_FRAMES = 4;

    private KernelCode() {}

    /**
     * Find the lines of some places in code, {@code /path/libscale.so+0x1130}. The result names the innermost functions of the user,
     * such as {@code deep(int) at scale.cpp:12 (libscale.so+0x1130)}; it is empty if none is of the user.
     */
    public static List<String> lines(List<String> code) {
        return code.stream()
                .map(CODE::matcher)
                .filter(Matcher::matches)
                .filter(KernelCode::isOfUser)
                .limit(MAX_FRAMES)
                .map(KernelCode::line)
                .toList();
    }

    private static boolean isOfUser(Matcher place) {
        return new CrashFrame.Native(place.group(2), 0, "").owner() == CrashFrame.Owner.USER;
    }

    private static String line(Matcher place) {
        String address = place.group(2) + "+0x" + place.group(3);
        return SourceLines.ofNative(Path.of(place.group(1)), Long.parseLong(place.group(3), 16))
                .map(line -> line + " (" + address + ")")
                .orElse(address);
    }
}

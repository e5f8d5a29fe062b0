package org.rankunit.cli.doctor.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.cli.doctor.check.Amounts;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/** Checks the kernel's limits for one process and for all processes of this user. */
public record LimitsCheck(Host host) implements Check {

    private static final long FILES = 1024;
    private static final long PROCESSES = 1024;
    private static final Pattern SOFT = Pattern.compile("\\s+(\\d+|unlimited)\\s.*");

    @Override
    public String subject() {
        return "Limits";
    }

    @Override
    public Finding look() {
        Optional<String> files = soft("Max open files");
        Optional<String> processes = soft("Max processes");
        Optional<String> locked = soft("Max locked memory");
        if (files.isEmpty() || processes.isEmpty() || locked.isEmpty()) {
            return Finding.warn("/proc/self/limits does not list the limits", "");
        }
        List<String> advice = new ArrayList<>();
        if (isBelow(files.get(), FILES)) {
            advice.add("ulimit -n " + FILES);
        }
        if (isBelow(processes.get(), PROCESSES)) {
            advice.add("ulimit -u " + PROCESSES);
        }
        String what = "open files " + files.get() + ", processes " + processes.get() + ", locked memory "
                + (locked.get().equals("unlimited") ? "unlimited" : Amounts.bytes(Long.parseLong(locked.get())));
        return advice.isEmpty()
                ? Finding.ok(what)
                : Finding.warn(what + ": low for many ranks", "Raise them: " + String.join("; ", advice));
    }

    private Optional<String> soft(String name) {
        return host.lines("/proc/self/limits").stream()
                .filter(line -> line.startsWith(name))
                .map(line -> SOFT.matcher(line.substring(name.length())))
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .findFirst();
    }

    private static boolean isBelow(String limit, long needed) {
        return !limit.equals("unlimited") && Long.parseLong(limit) < needed;
    }
}

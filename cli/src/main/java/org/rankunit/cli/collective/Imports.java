package org.rankunit.cli.collective;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.exchange.GoalFile;
import org.rankunit.collective.exchange.GoalFormatException;
import org.rankunit.collective.exchange.GoalProgram;
import org.rankunit.collective.exchange.GoalTimes;
import org.rankunit.collective.exchange.chakra.ChakraFormatException;
import org.rankunit.collective.exchange.chakra.ChakraTrace;
import org.rankunit.collective.simulate.Topology;

/** Times a program that was written to a file. */
public final class Imports {

    private static final double MICRO = 1e-6;

    private Imports() {}

    /**
     * Read a GOAL file or the Chakra traces of all ranks, run them, and describe the result for people.
     *
     * @param file a GOAL file; a folder with Chakra traces, or {@code FOLDER/NAME} of such traces
     * @param machine which ranks are on one server
     * @param signalBytes messages of at most that many bytes take no time
     * @param eagerBytes the send of a message of at most that many bytes ends when it begins to leave
     * @throws UsageException if the file cannot be read or is something else, or if operations wait forever
     */
    public static String report(
            Path file, Topology topology, MachineOptions machine, long signalBytes, long eagerBytes) {
        GoalProgram program = read(file);
        Servers servers = machine.servers(topology, program.ranks());
        GoalTimes times;
        try {
            times = program.simulate(topology, servers, signalBytes, eagerBytes);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--import: " + file + ": " + e.getMessage());
        }
        double earliest = times.ends().stream().mapToDouble(each -> each).min().orElse(0);
        return String.format(
                Locale.ROOT,
                "%s, %s%s: %.3f us%n  ranks end from %.3f us to %.3f us%n  %,d messages of %,d bytes took time",
                file.getFileName(),
                program,
                servers.count() > 1 ? ", " + servers : "",
                times.seconds() / MICRO,
                earliest / MICRO,
                times.seconds() / MICRO,
                times.messages(),
                times.bytes());
    }

    private static GoalProgram read(Path file) {
        try {
            return ChakraTrace.areAt(file) ? ChakraTrace.read(file) : GoalFile.read(file);
        } catch (GoalFormatException | ChakraFormatException e) {
            throw new UsageException("--import: " + e.getMessage());
        } catch (IOException e) {
            throw new UsageException("--import: " + file + " cannot be read: " + Reasons.of(e, file));
        }
    }
}

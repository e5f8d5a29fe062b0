package org.rankunit.engine.launch.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes a command as one line for a POSIX shell. Stateless. */
public final class ShellCommand {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellCommand() {}

    /** A line that runs the command in a folder, with these environment variables besides those of the shell. */
    public static String of(Path folder, Map<String, String> environment, List<String> command) {
        String variables = new TreeMap<>(environment)
                .entrySet().stream()
                        .map(variable -> quoted(variable.getKey() + "=" + variable.getValue()) + " ")
                        .collect(Collectors.joining());
        return "cd " + quoted(folder.toString()) + " && "
                + (variables.isEmpty() ? "" : "env " + variables)
                + command.stream().map(ShellCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}

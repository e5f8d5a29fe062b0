package org.rankunit.engine.launch.command;

import java.io.File;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Translates the module options of a JVM for a rank, which has no modules except Java's own: all user code is on its class path.
 *
 * <p>There, tests, JUnit and RankUnit are in the unnamed module, so nothing needs to be opened, read or patched. Packages of Java's
 * modules that are opened or exported to the user's modules are opened or exported to the unnamed module instead.
 *
 * @param paths the entries of the module path, preceded by those that patch the user's modules
 * @param arguments all arguments except those about the user's modules, in their order
 */
record ModuleOptions(List<Path> paths, List<String> arguments) {

    private static final Predicate<String> IS_JAVAS =
            name -> ModuleFinder.ofSystem().find(name).isPresent();
    private static final String UNNAMED = "ALL-UNNAMED";

    static ModuleOptions of(List<String> jvmArguments) {
        List<Path> patches = new ArrayList<>();
        List<Path> modules = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String argument : jvmArguments) {
            int equals = argument.indexOf('=');
            String option = equals < 0 ? argument : argument.substring(0, equals);
            String value = argument.substring(equals + 1);
            switch (option) {
                case "--module-path" -> modules.addAll(split(value));
                case "--limit-modules" -> {}
                case "--patch-module" -> {
                    if (IS_JAVAS.test(before(value, '='))) {
                        others.add(argument);
                    } else {
                        patches.addAll(split(value.substring(value.indexOf('=') + 1)));
                    }
                }
                case "--add-modules" -> {
                    String kept = names(value)
                            .filter(IS_JAVAS.or(List.of("ALL-DEFAULT", "ALL-SYSTEM")::contains))
                            .collect(Collectors.joining(","));
                    if (!kept.isEmpty()) {
                        others.add(option + "=" + kept);
                    }
                }
                case "--add-reads", "--add-exports", "--add-opens" -> {
                    String source = before(value, '=');
                    if (IS_JAVAS.test(before(source, '/'))) {
                        others.add(option + "=" + source + "=" + toUnnamed(value.substring(source.length() + 1)));
                    }
                }
                case "--enable-native-access" -> others.add(option + "=" + toUnnamed(value));
                default -> others.add(argument);
            }
        }
        patches.addAll(modules);
        return new ModuleOptions(List.copyOf(patches), List.copyOf(others));
    }

    /** Replace the user's modules in a list by the unnamed module, which contains all of them. */
    private static String toUnnamed(String modules) {
        return names(modules)
                .map(name -> IS_JAVAS.test(name) ? name : UNNAMED)
                .distinct()
                .collect(Collectors.joining(","));
    }

    private static Stream<String> names(String list) {
        return Arrays.stream(list.split(",", -1)).filter(name -> !name.isEmpty());
    }

    private static List<Path> split(String list) {
        return Arrays.stream(list.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
    }

    private static String before(String text, char end) {
        int index = text.indexOf(end);
        return index < 0 ? text : text.substring(0, index);
    }
}

package org.rankunit.engine.discovery.declaration;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.KernelArguments;
import org.rankunit.engine.protocol.ArgumentDeclaration;
import org.rankunit.engine.protocol.ArgumentDeclaration.Token;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.graph.TaskArgument.Use;

/** Reads {@link KernelArguments}, and finds mistakes in it. Stateless. */
final class DeclaredArguments {

    private static final Set<String> TOKENS =
            Arrays.stream(Token.values()).map(Token::text).collect(Collectors.toUnmodifiableSet());

    private DeclaredArguments() {}

    static List<ArgumentDeclaration> of(KernelArguments declared) {
        List<String> inputs = List.of(declared.inputs());
        List<String> outputs = List.of(declared.outputs());
        return Arrays.stream(declared.value())
                .map(name -> new ArgumentDeclaration(
                        name,
                        TOKENS.contains(name) ? Use.SCALAR : useOf(inputs.contains(name), outputs.contains(name))))
                .toList();
    }

    private static Use useOf(boolean read, boolean written) {
        return read == written ? Use.INOUT : read ? Use.IN : Use.OUT;
    }

    static @Nullable String problemOf(KernelArguments declared, List<BufferDeclaration> buffers, String place) {
        String shown = place + ": @KernelArguments";
        Set<String> names = buffers.stream().map(BufferDeclaration::name).collect(Collectors.toSet());
        Set<String> arguments = new HashSet<>(List.of(declared.value()));
        if (arguments.isEmpty()) {
            return shown + " names no argument. Give at least one, or leave the annotation out.";
        }
        for (String name : declared.value()) {
            if (!names.contains(name) && !TOKENS.contains(name)) {
                return shown + " names \"" + name + "\", which is neither a buffer of this test ("
                        + (names.isEmpty() ? "it declares none" : sorted(names)) + ") nor one of " + sorted(TOKENS)
                        + ".";
            }
            if (names.contains(name) && TOKENS.contains(name)) {
                return shown + ": \"" + name + "\" is a buffer of this test and a word of @KernelArguments. Give the"
                        + " buffer another name.";
            }
        }
        String stray = strayOf(declared.inputs(), names, arguments);
        if (stray != null) {
            return shown + "(inputs = \"" + stray + "\"): it is not a buffer among the arguments.";
        }
        stray = strayOf(declared.outputs(), names, arguments);
        return stray == null ? null : shown + "(outputs = \"" + stray + "\"): it is not a buffer among the arguments.";
    }

    private static @Nullable String strayOf(String[] listed, Set<String> buffers, Set<String> arguments) {
        return Arrays.stream(listed)
                .filter(name -> !buffers.contains(name) || !arguments.contains(name))
                .findFirst()
                .orElse(null);
    }

    private static String sorted(Set<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", "));
    }
}

package org.rankunit.comm.jna;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the native methods against {@code functions.def}: a wrong one would be found by JNA late, or by a crash. */
@Tag("unit")
class FunctionListTest {

    private static final Path LIST = Path.of("src/main/cpp/abi/functions.def");

    private static final Pattern ENTRY =
            Pattern.compile("^(?:FUNCTION|WRAPPED)\\(([^,]+), (\\w+), \\w+,\\s*\\(([^()]+)\\)", Pattern.MULTILINE);

    private static final Pattern PARAMETER = Pattern.compile("(.*\\W)\\w+");

    private static final Map<String, Class<?>> JAVA = Map.ofEntries(
            Map.entry("int", int.class),
            Map.entry("uint32_t", int.class),
            Map.entry("int32_t", int.class),
            Map.entry("int64_t", long.class),
            Map.entry("uint64_t", long.class),
            Map.entry("size_t", long.class),
            Map.entry("Library", long.class),
            Map.entry("Comm", long.class),
            Map.entry("Device", long.class),
            Map.entry("KernelHandle", long.class),
            Map.entry("void *", long.class),
            Map.entry("const void *", long.class),
            Map.entry("const char *", String.class),
            Map.entry("char *", byte[].class),
            Map.entry("Text", byte[].class),
            Map.entry("const uint32_t *", int[].class),
            Map.entry("const uint64_t *", long[].class),
            Map.entry("uint32_t *", int[].class),
            Map.entry("uint64_t *", long[].class),
            Map.entry("size_t *", long[].class),
            Map.entry("void **", long[].class),
            Map.entry("Device *", long[].class),
            Map.entry("KernelHandle *", long[].class));

    @Test
    void eachFunctionOfTheListIsOneNativeMethodWithTheSameParameters() throws IOException {
        List<String> methods = Stream.of(
                        CommFunctions.class,
                        CollFunctions.class,
                        DeviceFunctions.class,
                        StreamFunctions.class,
                        GraphFunctions.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isNative(method.getModifiers()))
                .map(method -> signature(method.getReturnType(), method.getName(), List.of(method.getParameterTypes())))
                .toList();

        assertThat(methods).containsExactlyInAnyOrderElementsOf(listed());
    }

    @Test
    void theListIsReadFromItsFirstEntryToItsLast() throws IOException {
        long entries = Files.readAllLines(LIST).stream()
                .filter(line -> line.startsWith("FUNCTION(") || line.startsWith("WRAPPED("))
                .count();

        assertThat(listed())
                .hasSize(Math.toIntExact(entries))
                .startsWith("long comm_init(long, int, int, int, long, String)")
                .contains("int device_launch(long, long, long[], int)")
                .contains("String device_last_error(long)")
                .endsWith("int graph_describe(long, int, byte[], long)");
    }

    private static List<String> listed() throws IOException {
        return ENTRY.matcher(Files.readString(LIST))
                .results()
                .map(entry -> signature(javaType(entry.group(1)), entry.group(2), parameters(entry.group(3))))
                .toList();
    }

    private static List<Class<?>> parameters(String list) {
        return Arrays.stream(list.split(","))
                .<Class<?>>map(FunctionListTest::ofParameter)
                .toList();
    }

    private static Class<?> ofParameter(String parameter) {
        Matcher typeAndName = PARAMETER.matcher(parameter.strip());
        assertThat(typeAndName.matches()).as(parameter).isTrue();
        return javaType(typeAndName.group(1).strip());
    }

    private static Class<?> javaType(String nativeType) {
        return requireNonNull(JAVA.get(nativeType), () -> "no Java type stands for " + nativeType);
    }

    private static String signature(Class<?> result, String name, List<Class<?>> parameters) {
        return result.getSimpleName() + " " + name
                + parameters.stream().map(Class::getSimpleName).collect(joining(", ", "(", ")"));
    }
}

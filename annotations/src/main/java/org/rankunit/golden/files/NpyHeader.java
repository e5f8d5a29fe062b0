package org.rankunit.golden.files;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The header of an array: the literal of a Python dictionary with the keys descr, fortran_order and shape, in any order.
 *
 * @param descr NumPy's name of the type, or the text of a structured one
 */
record NpyHeader(String descr, boolean fortranOrder, List<Long> shape) {

    private static final int SHOWN = 100;

    /** NumPy wrote the L when it ran on Python 2. */
    private static final Pattern EXTENT = Pattern.compile("(\\d{1,18})L?");

    /** @throws ValueFileException if it is anything else */
    static NpyHeader parse(Path file, String text) {
        try {
            Map<String, String> values = PythonDictionary.parse(text);
            if (values.size() != 3) {
                throw new IllegalArgumentException("has " + values.keySet());
            }
            return new NpyHeader(
                    unquoted(of(values, "descr")), truth(of(values, "fortran_order")), extents(of(values, "shape")));
        } catch (IllegalArgumentException e) {
            String shown = text.strip();
            throw new ValueFileException(
                    file,
                    "has a header that NumPy does not write: " + shown.substring(0, Math.min(SHOWN, shown.length()))
                            + ". Write the file with numpy.save.",
                    e);
        }
    }

    private static String of(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("has no " + key);
        }
        return value;
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.startsWith("'") || value.startsWith("\"");
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }

    private static boolean truth(String value) {
        return switch (value) {
            case "True" -> true;
            case "False" -> false;
            default -> throw new IllegalArgumentException(value);
        };
    }

    /** Those of a tuple. In Python, {@code (12)} is a number. */
    private static List<Long> extents(String tuple) {
        if (!tuple.startsWith("(")) {
            throw new IllegalArgumentException(tuple);
        }
        List<Long> extents = new ArrayList<>();
        String[] parts = tuple.substring(1, tuple.length() - 1).split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i].strip();
            Matcher extent = EXTENT.matcher(part);
            if (part.isEmpty() && i == parts.length - 1) {
                break;
            } else if (!extent.matches() || parts.length == 1) {
                throw new IllegalArgumentException(tuple);
            }
            extents.add(Long.parseLong(extent.group(1)));
        }
        return List.copyOf(extents);
    }

    /**
     * How many elements there are; one for an array without dimensions.
     *
     * @throws ArithmeticException if no {@code long} can hold the number
     */
    long count() {
        if (shape.contains(0L)) {
            return 0;
        }
        long count = 1;
        for (long extent : shape) {
            count = Math.multiplyExact(count, extent);
        }
        return count;
    }

    /** The elements of an array with only one extent above 1 have the same order either way. */
    void requireRowMajor(Path file) {
        boolean differs = !shape.contains(0L)
                && shape.stream().filter(extent -> extent > 1).count() > 1;
        if (fortranOrder && differs) {
            throw new ValueFileException(
                    file,
                    "is in Fortran order, with the shape " + shapeText()
                            + ". Write it in C order: numpy.ascontiguousarray(array).");
        }
    }

    /** The shape as NumPy shows it. */
    String shapeText() {
        return shapeText(shape);
    }

    static String shapeText(List<Long> shape) {
        return shape.stream()
                .map(String::valueOf)
                .collect(Collectors.joining(", ", "(", shape.size() == 1 ? ",)" : ")"));
    }
}

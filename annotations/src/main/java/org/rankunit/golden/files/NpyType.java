package org.rankunit.golden.files;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;

/** NumPy's names of our types: {@code <f4} is float32. */
final class NpyType {

    private static final Pattern DESCR = Pattern.compile("([<>|=])([a-zA-Z?])(\\d*)");

    /** Kind and size of the types that NumPy has. */
    private static final Map<DType, String> OF_NUMPY = new EnumMap<>(Map.ofEntries(
            Map.entry(DType.FLOAT16, "f2"),
            Map.entry(DType.FLOAT32, "f4"),
            Map.entry(DType.FLOAT64, "f8"),
            Map.entry(DType.INT8, "i1"),
            Map.entry(DType.INT16, "i2"),
            Map.entry(DType.INT32, "i4"),
            Map.entry(DType.INT64, "i8"),
            Map.entry(DType.UINT8, "u1"),
            Map.entry(DType.UINT16, "u2"),
            Map.entry(DType.UINT32, "u4"),
            Map.entry(DType.UINT64, "u8"),
            Map.entry(DType.BOOL, "b1")));

    /** What NumPy writes for this type of the package ml_dtypes. Its other types are opaque bytes ({@code V}). */
    private static final String FLOAT8_E5M2 = "f1";

    private NpyType() {}

    /** How a header names a type. One that NumPy lacks is written as unsigned integers with its bits. */
    static String descrOf(DType type) {
        String own = OF_NUMPY.getOrDefault(type, "u" + type.byteSize());
        return (type.byteSize() == 1 ? "|" : "<") + own;
    }

    /**
     * Find the type of the elements.
     *
     * @param wanted what they are to be, or {@code null} for the file's own type
     * @throws ValueFileException if they are something else
     */
    static DType of(Path file, String descr, @Nullable DType wanted) {
        Matcher parts = DESCR.matcher(descr);
        if (descr.startsWith("[")) {
            throw new ValueFileException(
                    file,
                    "has elements of the structured type " + descr + ". Write each field as an array of its own.");
        }
        if (!parts.matches()) {
            throw unknown(file, descr);
        }
        String kind = parts.group(2) + parts.group(3);
        if (parts.group(2).equals("O")) {
            throw new ValueFileException(
                    file, "has Python objects (" + descr + "), which are never unpickled. Write an array of numbers.");
        }
        if (parts.group(1).equals(">") && !parts.group(3).equals("1")) {
            throw new ValueFileException(
                    file,
                    "is big-endian (" + descr
                            + "). Write it little-endian: array.astype(array.dtype.newbyteorder('<')).");
        }
        if (parts.group(1).equals("=")) {
            throw new ValueFileException(
                    file, "does not say its byte order (" + descr + "). Write it with numpy.save.");
        }
        return wanted == null ? own(file, descr, kind) : required(file, descr, kind, wanted);
    }

    private static DType own(Path file, String descr, String kind) {
        if (kind.equals(FLOAT8_E5M2)) {
            return DType.FLOAT8_E5M2;
        }
        return OF_NUMPY.entrySet().stream()
                .filter(each -> each.getValue().equals(kind))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> kind.startsWith("V")
                        ? new ValueFileException(
                                file,
                                "has elements of " + kind.substring(1) + " opaque bytes (" + descr
                                        + "). Give the type whose bits they are.")
                        : unknown(file, descr));
    }

    private static ValueFileException unknown(Path file, String descr) {
        return new ValueFileException(
                file,
                "has elements of type " + descr + ", which is not one of " + Arrays.toString(DType.values())
                        + ". Convert it: array.astype(...).");
    }

    private static DType required(Path file, String descr, String kind, DType wanted) {
        String native_ = OF_NUMPY.get(wanted);
        boolean fits = native_ != null
                ? native_.equals(kind)
                : kind.equals("u" + wanted.byteSize())
                        || kind.equals("V" + wanted.byteSize())
                        || (wanted == DType.FLOAT8_E5M2 && kind.equals(FLOAT8_E5M2));
        if (!fits) {
            throw new ValueFileException(
                    file,
                    "has elements of type " + descr + ", and " + wanted + " is expected, which is '" + descrOf(wanted)
                            + "'" + (native_ == null ? " or '|V" + wanted.byteSize() + "' here" : "")
                            + ". Write it in that type, or declare the file's.");
        }
        return wanted;
    }
}

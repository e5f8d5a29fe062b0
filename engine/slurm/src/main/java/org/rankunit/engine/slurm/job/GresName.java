package org.rankunit.engine.slurm.job;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a generic resource of Slurm: {@code npu}, or {@code gpu:ascend910b} with a type.
 *
 * @param type which of the resources with this name is meant; empty for any
 */
public record GresName(String name, Optional<String> type) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_.-]+");

    /** What Slurm reads as a count where it expects a type: {@code 4}, {@code 2K}. */
    private static final Pattern COUNT = Pattern.compile("\\d+[KMGTPkmgtp]?");

    private static final Pattern BOTH = Pattern.compile("([^:]*)(?::([^:]*))?");

    /** @throws IllegalArgumentException if Slurm could not read the name or the type back */
    public GresName {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is not the name of a generic resource of Slurm: "
                    + "a letter, then letters, digits, '_', '.' and '-'");
        }
        type.ifPresent(GresName::checkType);
    }

    /**
     * Reads a name as a person writes it, without a count.
     *
     * @throws IllegalArgumentException if it has another form; the caller prepends the configuration key
     */
    public static GresName parse(String text) {
        Matcher matcher = BOTH.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not the name of a generic resource of Slurm.\nGive its name, or its name and "
                            + "type, without a count: npu, or gpu:ascend910b.");
        }
        return new GresName(matcher.group(1), Optional.ofNullable(matcher.group(2)));
    }

    /**
     * What {@code --gres} takes: {@code npu:2}, {@code gpu:ascend910b:2}. The count is always included, because Slurm
     * reads a type that begins with a digit, such as {@code 910B3}, as a count if nothing follows it.
     */
    public String request(int count) {
        return this + ":" + count;
    }

    /** Whether devices that Slurm lists with this name and type are meant. */
    boolean includes(String otherName, Optional<String> otherType) {
        return name.equals(otherName) && (type.isEmpty() || type.equals(otherType));
    }

    @Override
    public String toString() {
        return name + type.map(each -> ":" + each).orElse("");
    }

    private static void checkType(String type) {
        if (COUNT.matcher(type).matches()) {
            throw new IllegalArgumentException("\"" + type + "\" is a count, not the type of a generic resource of "
                    + "Slurm: give only the name and the type");
        }
        if (!TYPE.matcher(type).matches()) {
            throw new IllegalArgumentException("\"" + type + "\" is not the type of a generic resource of Slurm: "
                    + "letters, digits, '_', '.' and '-'");
        }
    }
}

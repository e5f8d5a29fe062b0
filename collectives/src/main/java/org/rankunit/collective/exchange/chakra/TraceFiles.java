package org.rankunit.collective.exchange.chakra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the files of all ranks: {@code NAME.RANK.et}. */
final class TraceFiles {

    private static final Pattern NAME = Pattern.compile("(.*)\\.(0|[1-9]\\d{0,6})\\.et", Pattern.DOTALL);
    private static final int TOLD = 3;

    private TraceFiles() {}

    /** Whether there is a folder, a file of a rank, or a file of rank 0 that begins with this name. */
    static boolean areAt(Path place) {
        return Files.isDirectory(place)
                || NAME.matcher(nameOf(place)).matches()
                || (!Files.exists(place) && Files.exists(place.resolveSibling(nameOf(place) + ".0.et")));
    }

    private static String nameOf(Path place) {
        Path name = place.getFileName();
        return name == null ? "" : name.toString();
    }

    /**
     * Get the file of each rank.
     *
     * @param place a folder with traces of one name, or a folder and such a name
     */
    static List<Path> at(Path place) throws IOException {
        Map<String, NavigableMap<Integer, Path>> all = new TreeMap<>();
        boolean isFolder = Files.isDirectory(place);
        Path folder = isFolder ? place : place.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new ChakraFormatException(place + ": there is no such folder");
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> {
                Matcher name = NAME.matcher(nameOf(file));
                if (name.matches()) {
                    all.computeIfAbsent(name.group(1), missing -> new TreeMap<>())
                            .put(Integer.valueOf(name.group(2)), isFolder ? file : place.resolveSibling(nameOf(file)));
                }
            });
        }
        if (!isFolder) {
            Matcher one = NAME.matcher(nameOf(place));
            all.keySet().retainAll(List.of(one.matches() ? one.group(1) : nameOf(place)));
        }
        if (all.isEmpty()) {
            throw new ChakraFormatException(
                    place + ": there are no execution traces. They are files NAME.0.et, NAME.1.et and so on; name their"
                            + " folder, or FOLDER/NAME");
        }
        if (all.size() > 1) {
            List<String> names = all.keySet().stream().limit(TOLD).toList();
            throw new ChakraFormatException(place + " has traces of " + all.size() + " names ("
                    + String.join(", ", names) + (all.size() > TOLD ? ", ..." : "") + "). Name one of them, such as "
                    + place.resolve(names.get(0)));
        }
        return inOrder(all.values().iterator().next());
    }

    private static List<Path> inOrder(NavigableMap<Integer, Path> found) {
        List<Path> files = new ArrayList<>(found.values());
        for (int rank = 0; rank < files.size(); rank++) {
            if (!found.containsKey(rank)) {
                String last = nameOf(found.lastEntry().getValue());
                Matcher name = NAME.matcher(last);
                throw new ChakraFormatException("There is no file of rank " + rank + ", "
                        + (name.matches() ? name.group(1) : last) + "." + rank + ".et, but one of rank "
                        + found.lastKey() + ". Ranks are 0, 1, 2 and so on without a gap");
            }
        }
        return files;
    }
}

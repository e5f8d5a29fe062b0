package org.rankunit.engine.discovery;

import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.UniqueId;

/** Translates between this engine's unique ids and Jupiter's. */
public final class TestIds {

    public static final String ENGINE = "rankunit";
    static final String JUPITER = "junit-jupiter";
    private static final String ENGINE_SEGMENT = "engine";
    private static final String RANKS_SEGMENT = "ranks";
    private static final String RUNTIME_SEGMENT = "runtime";
    private static final String SEED_SEGMENT = "seed";
    private static final String MISPLACED_SEGMENT = "misplaced";
    private static final String CLASS_TEMPLATE = "class-template";
    private static final String NESTED_CLASS_TEMPLATE = "nested-class-template";

    private TestIds() {}

    /** The id of a variant that runs on this number of ranks. */
    static UniqueId ofRanks(UniqueId test, int ranks) {
        return test.append(RANKS_SEGMENT, Integer.toString(ranks));
    }

    /** The id of a variant that runs with this runtime. */
    static UniqueId ofRuntime(UniqueId test, String runtime) {
        return test.append(RUNTIME_SEGMENT, runtime);
    }

    /** The id of a variant that is shaken with this seed, as in {@code random:7}. */
    static UniqueId ofSeed(UniqueId test, String seed) {
        return test.append(SEED_SEGMENT, seed.replace(':', '-'));
    }

    private static boolean isOfVariant(UniqueId.Segment segment) {
        return List.of(RANKS_SEGMENT, RUNTIME_SEGMENT, SEED_SEGMENT).contains(segment.getType());
    }

    /** Remove the variant from an id, wherever it is; in ids of invocations more segments follow it. */
    static UniqueId withoutVariant(UniqueId id) {
        if (id.getSegments().stream().noneMatch(TestIds::isOfVariant)) {
            return id;
        }
        UniqueId result = null;
        for (UniqueId.Segment segment : id.getSegments()) {
            if (!isOfVariant(segment)) {
                result = result == null ? UniqueId.root(segment.getType(), segment.getValue()) : result.append(segment);
            }
        }
        return result == null ? id : result;
    }

    /** The id in a rank, where Jupiter is the root: everything after this engine's segment. */
    public static String inRank(UniqueId id) {
        return below(UniqueId.forEngine(JUPITER), id).toString();
    }

    /** Whether this is a class that runs once for each of its arguments, at the top level or nested in another class. */
    static boolean isClassTemplate(UniqueId id) {
        String type = id.getLastSegment().getType();
        return type.equals(CLASS_TEMPLATE) || type.equals(NESTED_CLASS_TEMPLATE);
    }

    /** The id of a class for which Jupiter has none. */
    static UniqueId ofClass(UniqueId engine, Class<?> type) {
        return engine.append("class", type.getName());
    }

    /** The id of the test that represents a misplaced mark; it contains the name of the class. */
    static UniqueId misplaced(UniqueId container, Class<?> type, String signature) {
        return container.append(MISPLACED_SEGMENT, type.getName() + " " + signature);
    }

    /** The name of the class if this is the id of a misplaced mark. */
    static Optional<String> classOfMisplaced(UniqueId id) {
        UniqueId.Segment last = id.getLastSegment();
        return last.getType().equals(MISPLACED_SEGMENT)
                ? Optional.of(last.getValue().substring(0, last.getValue().indexOf(' ')))
                : Optional.empty();
    }

    /** The possible ids in a rank of the invocation with this index, from 0, of a template or factory; not all need exist. */
    static List<String> iteration(UniqueId unit, int index) {
        List<String> types = switch (unit.getLastSegment().getType()) {
            case "test-factory" -> List.of("dynamic-test", "dynamic-container");
            case CLASS_TEMPLATE, NESTED_CLASS_TEMPLATE -> List.of("class-template-invocation");
            default -> List.of("test-template-invocation");
        };
        return types.stream()
                .map(type -> inRank(unit.append(type, "#" + (index + 1))))
                .toList();
    }

    /** The id of the same test in an ordinary Jupiter run next to this engine. */
    static UniqueId jupiterTwin(UniqueId id) {
        UniqueId result = null;
        int last = lastEngine(id);
        for (int i = 0; i < id.getSegments().size(); i++) {
            UniqueId.Segment segment = id.getSegments().get(i);
            String value = i == last ? JUPITER : segment.getValue();
            result = result == null ? UniqueId.root(segment.getType(), value) : result.append(segment.getType(), value);
        }
        return result == null ? id : result;
    }

    /** Append everything after the last engine segment of {@code id} to {@code root}. */
    static UniqueId below(UniqueId root, UniqueId id) {
        UniqueId result = root;
        for (int i = lastEngine(id) + 1; i < id.getSegments().size(); i++) {
            result = result.append(id.getSegments().get(i));
        }
        return result;
    }

    /** The id of a node that a rank registered: what follows {@code parent} in {@code child}, appended to {@code target}. */
    public static UniqueId append(UniqueId target, String parent, String child) {
        UniqueId result = target;
        int from = UniqueId.parse(parent).getSegments().size();
        List<UniqueId.Segment> segments = UniqueId.parse(child).getSegments();
        for (UniqueId.Segment segment : segments.subList(from, segments.size())) {
            result = result.append(segment);
        }
        return result;
    }

    /** Whether an id belongs to Jupiter. A suite's engine may come first, so the last engine segment decides. */
    static boolean isOfJupiter(UniqueId id) {
        int last = lastEngine(id);
        return last >= 0 && id.getSegments().get(last).getValue().equals(JUPITER);
    }

    private static int lastEngine(UniqueId id) {
        int last = -1;
        for (int i = 0; i < id.getSegments().size(); i++) {
            if (id.getSegments().get(i).getType().equals(ENGINE_SEGMENT)) {
                last = i;
            }
        }
        return last;
    }
}

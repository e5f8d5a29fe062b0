package org.rankunit.collective.yaml;

import java.util.List;
import java.util.Map;

/** What a file has at one place. */
sealed interface YamlNode {

    YamlPlace place();

    /**
     * Keys with values.
     *
     * @param entries by key, in the order of the file
     */
    record Mapping(YamlPlace place, Map<String, Entry> entries) implements YamlNode {}

    /**
     * A list.
     *
     * @param items in the order of the file
     */
    record Sequence(YamlPlace place, List<YamlNode> items) implements YamlNode {}

    /**
     * A value.
     *
     * @param text as it is written, without quotes; empty for nothing
     */
    record Scalar(YamlPlace place, String text) implements YamlNode {}

    /**
     * A value with the place of its key.
     *
     * @param key where it is
     */
    record Entry(YamlPlace key, YamlNode value) {}
}

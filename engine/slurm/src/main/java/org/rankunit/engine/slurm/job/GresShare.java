package org.rankunit.engine.slurm.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a generic resource a job has on a node.
 *
 * @param ids empty if Slurm does not say which ones
 */
record GresShare(int count, List<Integer> ids) {

    /**
     * One resource: {@code npu:4(IDX:0-3)}, {@code gpu:ascend910b:2(IDX:0,2)}, or {@code npu(CNT:3)} of devices that
     * Slurm only counts, since they have no files.
     */
    private static final Pattern RESOURCE =
            Pattern.compile("([^:,()]+)(?::([^:,()]*[^:,()\\d][^:,()]*))?(?::(\\d+))?(?:\\((IDX|CNT):([^()]*)\\))?");

    private static final Pattern BETWEEN_RESOURCES = Pattern.compile(",(?![^(]*\\))");

    /**
     * Reads the resources of a node and adds those that {@code wanted} includes.
     *
     * @throws IllegalArgumentException if one of those has an unknown form
     */
    static GresShare parse(String resources, GresName wanted) {
        int count = 0;
        List<Integer> ids = new ArrayList<>();
        for (String resource : BETWEEN_RESOURCES.split(resources, -1)) {
            Matcher matcher = RESOURCE.matcher(resource);
            if (matcher.matches()) {
                if (wanted.includes(matcher.group(1), Optional.ofNullable(matcher.group(2)))) {
                    GresShare share = of(matcher);
                    count += share.count();
                    ids.addAll(share.ids());
                }
            } else if (resource.startsWith(wanted.name() + ":") || resource.startsWith(wanted.name() + "(")) {
                throw new IllegalArgumentException("\"" + resource + "\" is not a generic resource as Slurm lists it, "
                        + "such as " + wanted.request(2) + "(IDX:0-1)");
            }
        }
        // Ids of only a part of the devices would be taken for those of all of them.
        return new GresShare(count, ids.size() == count ? ids.stream().sorted().toList() : List.of());
    }

    private static GresShare of(Matcher matcher) {
        String kind = matcher.group(4);
        if ("CNT".equals(kind)) {
            return new GresShare(Integer.parseInt(matcher.group(5)), List.of());
        }
        boolean hasIds = kind != null && !matcher.group(5).equals("N/A");
        List<Integer> ids = hasIds ? IdList.parse(matcher.group(5)) : List.of();
        int count = matcher.group(3) == null ? ids.size() : Integer.parseInt(matcher.group(3));
        if (hasIds && ids.size() != count) {
            throw new IllegalArgumentException(
                    "Slurm lists " + count + " devices with " + ids.size() + " ids: \"" + matcher.group() + "\"");
        }
        return new GresShare(count, ids);
    }
}

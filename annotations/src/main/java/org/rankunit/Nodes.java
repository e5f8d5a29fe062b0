package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Run the ranks of a device test on this number of nodes, the same number of ranks on each. A node is one machine of a
 * cluster.
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(8)
 * @Nodes(2)
 * void halvesMeetBetweenTheNodes(RankContext rank) {
 *     assertThat(rank.localRank()).isEqualTo(rank.rank() % 4);
 * }
 * }</pre>
 *
 * <p>Ranks 0 to 3 then run on the first node, and ranks 4 to 7 on the second. {@code @Nodes(1)} keeps all ranks on one
 * node. Without this annotation, all ranks run on one node if it has enough devices, and else on as few nodes as
 * possible.
 *
 * <p>If there are fewer nodes, as on a single machine, the test is <em>skipped</em>, with the number of nodes that it
 * needs and the number there are. The ranks of a simulator share memory, so on a simulator all ranks run on one node,
 * and a test with more nodes is skipped, unless a communication library connects them that spans nodes. If the number of
 * ranks is no multiple of the number of nodes, the test fails before anything is started, with the place and both
 * numbers.
 *
 * <p>The annotation of a method replaces that of its class, and the annotation of an inner class replaces that of its
 * enclosing class. Without {@link org.rankunit.DeviceCount @DeviceCount} or {@link org.rankunit.Platforms @Platforms} it
 * has no effect.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface Nodes {

    /** Number of nodes, at least 1; a divisor of the number of ranks. */
    int value();
}

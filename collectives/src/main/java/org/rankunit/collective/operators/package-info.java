/** Collectives as HCCL's operators: the algorithm is selected, its resources are found, its tasks are run. */
@NullMarked
package org.rankunit.collective.operators;

import org.jspecify.annotations.NullMarked;

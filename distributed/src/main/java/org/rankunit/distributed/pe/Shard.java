package org.rankunit.distributed.pe;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * The part of a tensor that lies at one processing element, in its HBM.
 *
 * @param argument number of the tensor among the arguments of the launch
 * @param from the first element in the tensor
 * @param count of elements
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Shard(int argument, long from, int count, DType type) {}

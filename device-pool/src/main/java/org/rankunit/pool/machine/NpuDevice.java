package org.rankunit.pool.machine;

import org.apiguardian.api.API;

/**
 * Describe one device of this machine.
 *
 * @param id N of its node {@code /dev/davinciN}; leases and people use this id
 * @param index its place, from 0, among the devices this process can see. The runtime counts this way, and
 *     {@code ASCEND_RT_VISIBLE_DEVICES} uses this number. On a whole machine it equals the id; in a container with
 *     {@code /dev/davinci4} to {@code 7}, device 4 has index 0
 * @param npu number of the NPU it is on; -1 if unknown
 * @param chip number of the chip on that NPU; -1 if unknown
 * @param chipName as {@code npu-smi} writes it, such as {@code 910B3}; empty if unknown
 * @param platform such as {@code a2a3} or {@code a5}
 * @param health health of the device
 * @param healthText the health in the words of {@code npu-smi}; empty if unknown
 * @param busId such as {@code 0000:C1:00.0}; empty if unknown
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NpuDevice(
        int id,
        int index,
        int npu,
        int chip,
        String chipName,
        String platform,
        NpuHealth health,
        String healthText,
        String busId) {}

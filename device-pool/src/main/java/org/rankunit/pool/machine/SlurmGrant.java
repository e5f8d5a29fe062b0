package org.rankunit.pool.machine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.machine.npusmi.Chip;

/**
 * Reads a Slurm job's variables about its devices.
 *
 * <p>Stock Slurm sets no variables for a gres named {@code npu}; these come from a plugin. A gres named {@code gpu} has
 * the variables of GPUs, whatever the device is.
 */
final class SlurmGrant {

    private static final List<String> LISTS =
            List.of("SLURM_STEP_NPUS", "SLURM_JOB_NPUS", "SLURM_STEP_GPUS", "SLURM_JOB_GPUS");
    private static final String COUNT = "SLURM_NPUS_ON_NODE";
    private static final String JOB = "SLURM_JOB_ID";

    private SlurmGrant() {}

    /** Reads the first variable that is set; empty if this is not a Slurm job. */
    static Optional<Grant> of(Machine machine, Map<String, String> environment) {
        for (String name : LISTS) {
            String value = environment.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return Optional.of(ofList(machine, Grant.quoted(name, value), value));
            }
        }
        String count = environment.getOrDefault(COUNT, "").strip();
        if (!count.isEmpty()) {
            return Optional.of(ofCount(machine, Grant.quoted(COUNT, count), Chip.number(count)));
        }
        return Optional.ofNullable(environment.get(JOB)).map(job -> ofJob(machine, Grant.quoted(JOB, job)));
    }

    private static Grant ofList(Machine machine, String source, String value) {
        EnvironmentGrant grant = new EnvironmentGrant(machine, source);
        List<Integer> places;
        try {
            places = DeviceList.parse(value);
        } catch (IllegalArgumentException e) {
            return grant.none(
                    "it is not a list of devices, and RankUnit does not guess; set ASCEND_RT_VISIBLE_DEVICES to the job's");
        }
        int open = machine.devices().size();
        if (places.size() == open) {
            return grant.all();
        }
        grant.note("it names " + places.size() + " of " + open
                + " devices, taken as places from 0 in the order of their ids;"
                + " that is wrong where Slurm's gres.conf lists only some of the devices");
        return grant.places(places);
    }

    private static Grant ofCount(Machine machine, String source, @Nullable Integer count) {
        EnvironmentGrant grant = new EnvironmentGrant(machine, source);
        int open = machine.devices().size();
        if (count == null || count < open) {
            return grant.none("that does not tell which of the devices " + DeviceList.format(machine.ids())
                    + " are the job's, and RankUnit does not guess; set ASCEND_RT_VISIBLE_DEVICES to theirs");
        }
        return grant.all();
    }

    private static Grant ofJob(Machine machine, String source) {
        EnvironmentGrant grant = new EnvironmentGrant(machine, source);
        grant.note("nothing tells which devices are the job's; all that this process may open are taken");
        return grant.all();
    }
}

package org.rankunit.cli.doctor;

import java.util.stream.Collectors;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.pool.inventory.DeviceList;

/** Checks which devices are available to this process, with notes about them. */
record InventoryCheck(Doctor.Pool pool) implements Check {

    @Override
    public String subject() {
        return "Devices";
    }

    @Override
    public Finding look() {
        String notes = String.join("; ", pool.notes());
        if (pool.config().isEmpty()) {
            return Finding.fail(notes, "Correct the option or system property");
        }
        String lent = pool.config().get().inventories().values().stream()
                .filter(inventory -> !inventory.devices().isEmpty())
                .map(inventory -> inventory.platform() + " " + DeviceList.format(inventory.devices()))
                .collect(Collectors.joining(", "));
        String what = (lent.isEmpty() ? "no device is available" : lent) + (notes.isEmpty() ? "" : "; " + notes);
        boolean someNpu = !pool.machine().devices().isEmpty();
        if (lent.isEmpty()) {
            return Finding.fail(what, "Set rankunit.sim.devices to a number above 0, or give the process an NPU");
        }
        return someNpu && !notes.isEmpty()
                ? Finding.warn(what, "See docs/inventory.md if devices are missing")
                : Finding.ok(what);
    }
}

package org.rankunit.engine.launch;

/**
 * One device of one node.
 *
 * @param node names the machine that has the device; {@link #HERE} for the machine that this process runs on
 * @param id number of the device on its node, as the pool counts
 */
public record DeviceRef(String node, int id) {

    /** The machine that this process runs on. */
    public static final String HERE = "";

    /** Refer to a device of this machine. */
    public static DeviceRef here(int id) {
        return new DeviceRef(HERE, id);
    }

    /** Name the device for a message; the node is named where it is another machine. */
    public String describe() {
        return "device " + id + (node.equals(HERE) ? "" : " of node " + node);
    }
}

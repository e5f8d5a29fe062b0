package org.rankunit.engine.launch;

/**
 * One device of one node.
 *
 * @param node the name of the machine that has the device; {@link #HERE} for the machine that this process runs on
 * @param id the pool's number for the device on its node
 */
public record DeviceRef(String node, int id) {

    /** The machine that this process runs on. */
    public static final String HERE = "";

    /** Refer to a device of this machine. */
    public static DeviceRef here(int id) {
        return new DeviceRef(HERE, id);
    }

    /** Name the device for a message. The node is included only if it is another machine. */
    public String describe() {
        return "device " + id + (node.equals(HERE) ? "" : " of node " + node);
    }
}

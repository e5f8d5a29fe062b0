package org.rankunit.comm.recorder;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.BindFunctions;
import org.rankunit.comm.jna.DeviceFunctions;
import org.rankunit.comm.jna.NativeText;

/**
 * Tells the record of a device which line of the test calls. Native code keeps what stacks mean, and looks at a stack several times
 * faster than {@link CallPlace}, which has to only once for each.
 *
 * <p>A class that is replaced while it runs, as debuggers do, keeps the lines it had.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class RecordedPlace {

    /** Other JVMs may use the number of a method again when its class is unloaded. */
    private static final boolean KEEPS = System.getProperty("java.vm.name", "").matches(".*(HotSpot|OpenJDK).*VM");

    private RecordedPlace() {}

    /** Returns the status of {@link DeviceFunctions#device_record_place}. */
    public static int tell(long device) {
        int status = KEEPS ? BindFunctions.record_known_place(device) : BindFunctions.UNKNOWN_STATUS;
        if (status != BindFunctions.UNKNOWN_STATUS) {
            return status;
        }
        CallPlace.Decided decided = CallPlace.decideForCaller();
        byte @Nullable [] place = decided.place() == null ? null : NativeText.of(decided.place());
        if (KEEPS) {
            BindFunctions.learn_place(decided.frames(), place);
        }
        return DeviceFunctions.device_record_place(device, place);
    }
}

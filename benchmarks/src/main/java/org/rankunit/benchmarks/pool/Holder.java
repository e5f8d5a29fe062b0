package org.rankunit.benchmarks.pool;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process that takes all devices whenever it reads a line, and gives them back at the next, of which it prints the moment by the
 * clock that all processes of the machine share.
 */
final class Holder {

    private Holder() {}

    /** Arguments: kind of {@link DeviceSource}, folder. */
    public static void main(String[] args) throws IOException, InterruptedException {
        DeviceSource source = DeviceSource.of(DeviceSource.Kind.valueOf(args[0]), Path.of(args[1]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (input.readLine() != null) {
            try (DeviceSource.Held held = source.take(DeviceSource.DEVICES)) {
                System.out.println("taken " + held.devices().size());
                input.readLine();
                System.out.println(System.nanoTime());
            }
        }
    }
}

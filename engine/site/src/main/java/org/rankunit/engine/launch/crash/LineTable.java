package org.rankunit.engine.launch.crash;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the line of an instruction from a class file, in the format of The Java Virtual Machine Specification, chapter 4. */
final class LineTable {

    private final DataInputStream in;
    private final CrashFrame.Java frame;
    private final @Nullable String[] texts;
    private int line;
    private @Nullable String file;

    private LineTable(DataInputStream in, CrashFrame.Java frame, int constants) {
        this.in = in;
        this.frame = frame;
        this.texts = new @Nullable String[constants];
    }

    /** Returns file and line, or only the file if the line is not known; empty if the file is not known either. */
    static Optional<String> read(DataInputStream in, CrashFrame.Java frame) throws IOException {
        in.skipNBytes(8);
        LineTable table = new LineTable(in, frame, in.readUnsignedShort());
        table.readConstants();
        in.skipNBytes(6);
        in.skipNBytes(2L * in.readUnsignedShort());
        table.readMembers(false);
        table.readMembers(true);
        table.readAttributes(Place.CLASS);
        return Optional.ofNullable(table.file).map(file -> table.line > 0 ? file + ":" + table.line : file);
    }

    /** What an attribute belongs to. */
    private enum Place {
        CLASS,
        WANTED_METHOD,
        CODE,
        ELSEWHERE
    }

    private void readConstants() throws IOException {
        for (int i = 1; i < texts.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                default -> throw new IOException("unknown constant " + tag);
            }
        }
    }

    private void readMembers(boolean methods) throws IOException {
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            in.skipNBytes(2);
            String name = texts[in.readUnsignedShort()];
            String descriptor = texts[in.readUnsignedShort()];
            boolean wanted =
                    methods && frame.method().equals(name) && frame.descriptor().equals(descriptor);
            readAttributes(wanted ? Place.WANTED_METHOD : Place.ELSEWHERE);
        }
    }

    private void readAttributes(Place place) throws IOException {
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            String name = texts[in.readUnsignedShort()];
            long length = in.readInt() & 0xffff_ffffL;
            if (place == Place.CLASS && "SourceFile".equals(name)) {
                file = texts[in.readUnsignedShort()];
            } else if (place == Place.WANTED_METHOD && "Code".equals(name)) {
                in.skipNBytes(4);
                in.skipNBytes(in.readInt());
                in.skipNBytes(8L * in.readUnsignedShort());
                readAttributes(Place.CODE);
            } else if (place == Place.CODE && "LineNumberTable".equals(name)) {
                readLines();
            } else {
                in.skipNBytes(length);
            }
        }
    }

    /** The line of the last entry that begins at or before the instruction. */
    private void readLines() throws IOException {
        int nearest = -1;
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            int start = in.readUnsignedShort();
            int number = in.readUnsignedShort();
            if (start <= frame.index() && start >= nearest) {
                nearest = start;
                line = number;
            }
        }
    }
}

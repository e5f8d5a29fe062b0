package org.rankunit.engine.control;

import org.rankunit.DType;
import org.rankunit.Placement;

/** One {@link org.rankunit.Buffer} as declared, with the place of the declaration. */
public record BufferDeclaration(String name, DType type, int count, Placement placement, String place) {

    public long bytes() {
        return (long) count * type.byteSize();
    }
}

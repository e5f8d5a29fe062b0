package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
@DeviceCount(2)
@ParameterizedClass
@FieldSource("SIZES")
class TemplatesTest {

    static final List<Integer> SIZES = List.of(1, 2);

    @Parameter
    int size;

    static int opened;

    @BeforeParameterizedClassInvocation
    static void open() {
        opened++;
    }

    @TestFactory
    Stream<DynamicTest> dynamic(RankContext rank) {
        return SIZES.stream().map(each -> DynamicTest.dynamicTest("size " + each + " of " + size, rank::barrier));
    }

    @Nested
    class Inner {

        @ParameterizedTest
        @FieldSource("org.example.TemplatesTest#SIZES")
        void ofAField(int value, RankContext rank) {
            assertEquals(size, opened);
            rank.barrier();
        }
    }
}

package org.rankunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.internal.numbers.Float16;
import org.rankunit.internal.numbers.Float8;

@Tag("unit")
class ValuesTest {

    @Test
    void everyTypeLiesInMemoryInLittleEndian() {
        assertThat(Values.float16(1, -2).encode()).isEqualTo(hex("003c 00c0"));
        assertThat(Values.bfloat16(1, -2).encode()).isEqualTo(hex("803f 00c0"));
        assertThat(Values.float32(1, -2).encode()).isEqualTo(hex("0000803f 000000c0"));
        assertThat(Values.float64(1).encode()).isEqualTo(hex("000000000000f03f"));
        assertThat(Values.int8((byte) 1, (byte) -2).encode()).isEqualTo(hex("01 fe"));
        assertThat(Values.int16((short) 0x1234, (short) -2).encode()).isEqualTo(hex("3412 feff"));
        assertThat(Values.int32(0x12345678, -2).encode()).isEqualTo(hex("78563412 feffffff"));
        assertThat(Values.int64(0x123456789abcdef0L).encode()).isEqualTo(hex("f0debc9a78563412"));
        assertThat(Values.uint8(0, 255).encode()).isEqualTo(hex("00 ff"));
        assertThat(Values.uint16(0x1234, 65535).encode()).isEqualTo(hex("3412 ffff"));
        assertThat(Values.uint32(0x12345678, 4294967295L).encode()).isEqualTo(hex("78563412 ffffffff"));
        assertThat(Values.uint64(-1L, 1).encode()).isEqualTo(hex("ffffffffffffffff 0100000000000000"));
        assertThat(Values.bool(false, true).encode()).isEqualTo(hex("00 01"));
    }

    @ParameterizedTest
    @EnumSource
    void anyBytesSurviveDecodingAndEncoding(DType type) {
        byte[] bytes = new byte[1000 * type.byteSize()];
        new Random(20261121).nextBytes(bytes);

        Values values = Values.decode(type, bytes);

        assertThat(values.encode()).isEqualTo(bytes);
        assertThat(values.count()).isEqualTo(1000);
        assertThat(values.type()).isEqualTo(type);
        assertThat(values).isEqualTo(Values.decode(type, bytes)).hasSameHashCodeAs(Values.decode(type, bytes));
    }

    @ParameterizedTest
    @EnumSource
    void elementsAreReadAsANaiveReaderDoes(DType type) {
        byte[] bytes = new byte[1000 * type.byteSize()];
        new Random(20261122).nextBytes(bytes);
        Values values = Values.decode(type, bytes);

        for (int i = 0; i < values.count(); i++) {
            long bits = 0;
            for (int b = type.byteSize() - 1; b >= 0; b--) {
                bits = bits << 8 | Byte.toUnsignedLong(bytes[i * type.byteSize() + b]);
            }
            switch (type) {
                case FLOAT16 -> assertSame(values.doubleAt(i), Float16.toFloat((short) bits));
                case BFLOAT16 -> assertSame(values.doubleAt(i), Float.intBitsToFloat((int) bits << 16));
                case FLOAT32 -> assertSame(values.doubleAt(i), Float.intBitsToFloat((int) bits));
                case FLOAT8_E4M3FN -> assertSame(values.doubleAt(i), Float8.E4M3FN.toFloat((byte) bits));
                case FLOAT8_E5M2 -> assertSame(values.doubleAt(i), Float8.E5M2.toFloat((byte) bits));
                case HIFLOAT8 -> assertSame(values.doubleAt(i), Float8.HIFLOAT8.toFloat((byte) bits));
                case FLOAT64 -> assertSame(values.doubleAt(i), Double.longBitsToDouble(bits));
                case INT8 -> assertThat(values.longAt(i)).isEqualTo((byte) bits);
                case INT16 -> assertThat(values.longAt(i)).isEqualTo((short) bits);
                case INT32 -> assertThat((int) values.longAt(i)).isEqualTo((int) bits);
                default -> assertThat(values.longAt(i)).isEqualTo(bits);
            }
        }
    }

    @Test
    void arraysAreCopiedOnTheWayInAndOut() {
        float[] in = {1, 2};
        byte[] bytes = {1, 2};
        Values floats = Values.float32(in);
        Values decoded = Values.decode(DType.INT8, bytes);

        in[0] = 9;
        bytes[0] = 9;
        floats.toFloats()[1] = 9;
        decoded.encode()[1] = 9;
        decoded.toBytes()[1] = 9;

        assertThat(floats.toFloats()).containsExactly(1, 2);
        assertThat(decoded.toBytes()).containsExactly(1, 2);
    }

    @Test
    void aLengthThatIsNoWholeNumberOfElementsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Values.decode(DType.FLOAT32, new byte[1023]))
                .withMessage("1023 bytes are not a whole number of float32 elements, which have 4 bytes each.");
    }

    @Test
    void unsignedValuesOutOfRangeAreRefusedWithTheirIndex() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Values.uint8(0, 255, 256))
                .withMessage("uint8 [2]: 256 is outside [0, 255].");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Values.uint16(-1))
                .withMessage("uint16 [0]: -1 is outside [0, 65535].");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Values.uint32(0, 1L << 32))
                .withMessage("uint32 [1]: 4294967296 is outside [0, 4294967295].");
    }

    @Test
    void integersAreWidenedByTheirSign() {
        assertThat(Values.int8((byte) -1).toInts()).containsExactly(-1);
        assertThat(Values.uint8(255).toInts()).containsExactly(255);
        assertThat(Values.int16((short) -1).toInts()).containsExactly(-1);
        assertThat(Values.uint16(65535).toInts()).containsExactly(65535);
        assertThat(Values.int32(-1).toInts()).containsExactly(-1);
        assertThat(Values.int8((byte) -1).toShorts()).containsExactly((short) -1);
        assertThat(Values.uint8(255).toShorts()).containsExactly((short) 255);
        assertThat(Values.int16((short) -1).toShorts()).containsExactly((short) -1);
        assertThat(Values.int32(-1).toLongs()).containsExactly(-1);
        assertThat(Values.uint32(4294967295L).toLongs()).containsExactly(4294967295L);
        assertThat(Values.int64(Long.MIN_VALUE).toLongs()).containsExactly(Long.MIN_VALUE);
        assertThat(Values.uint64(-1L).toLongs()).containsExactly(-1);
    }

    @Test
    void floatingElementsAreWidenedExactly() {
        assertThat(Values.float16(0.1f, 65504).toFloats()).containsExactly(0.099975586f, 65504);
        assertThat(Values.bfloat16(0.1f).toFloats()).containsExactly(0.100097656f);
        assertThat(Values.float16(0.5f).toDoubles()).containsExactly(0.5);
        assertThat(Values.bfloat16(0.5f).toDoubles()).containsExactly(0.5);
        assertThat(Values.float32(0.1f).toDoubles()).containsExactly(0.10000000149011612);
        assertThat(Values.float64(0.1).toDoubles()).containsExactly(0.1);
    }

    @Test
    void booleansAreReadBackAndOtherBytesRefused() {
        assertThat(Values.bool(true, false).toBooleans()).containsExactly(true, false);
        assertThatIllegalStateException()
                .isThrownBy(() -> Values.decode(DType.BOOL, hex("01ab")).toBooleans())
                .withMessage("bool [1] is the byte 0xab, neither 0 (false) nor 1 (true).");
    }

    @Test
    void wideIntegersBecomeDoublesOnlyIfThatIsExact() {
        assertThat(Values.int64(1L << 53, Long.MIN_VALUE, 0).toDoubles()).containsExactly(0x1p53, -0x1p63, 0);
        assertThat(Values.uint64(1L << 63, -2048).toDoubles()).containsExactly(0x1p63, 0x1p64 - 2048);
        assertThat(Values.uint32(4294967295L).toDoubles()).containsExactly(4294967295.0);
        assertThatThrownBy(() -> Values.int64(0, (1L << 53) + 1).toDoubles())
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("int64 [1]: no double is exactly 9007199254740993. toLongs() reads it.");
        assertThatThrownBy(() -> Values.int64(Long.MAX_VALUE).toDoubles()).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> Values.uint64(-1).toDoubles())
                .hasMessage("uint64 [0]: no double is exactly 18446744073709551615. toLongs() reads it.");
    }

    @Test
    void aReaderForAnotherTypeSaysWhichOneToUse() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Values.float64(1, 2).toFloats())
                .withMessage(
                        "toFloats() reads float16, bfloat16, float32 and 8-bit floating types, but these are 2 x float64."
                                + " toDoubles() reads them.");
        assertThatIllegalStateException()
                .isThrownBy(() -> Values.uint32(1).toInts())
                .withMessageEndingWith("but these are 1 x uint32. toLongs() reads them.");
        assertThatIllegalStateException()
                .isThrownBy(() -> Values.bool(true).toDoubles())
                .withMessageEndingWith("toBooleans() reads them.");
        assertThatIllegalStateException()
                .isThrownBy(() -> Values.uint8(1).toBytes())
                .withMessageEndingWith("toInts() reads them.");
        assertThatIllegalStateException().isThrownBy(() -> Values.uint16(1).toShorts());
        assertThatIllegalStateException().isThrownBy(() -> Values.float32(1).toLongs());
        assertThatIllegalStateException().isThrownBy(() -> Values.int8((byte) 1).toBooleans());
        assertThatIllegalStateException().isThrownBy(() -> Values.float32(1).longAt(0));
        assertThatIllegalStateException().isThrownBy(() -> Values.int32(1).doubleAt(0));
    }

    @Test
    void elementsAreWrittenExactlyWhateverTheLocale() {
        Locale former = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(Values.float16(0.1f).format(0)).isEqualTo("0.1");
            assertThat(Values.float64(1.5).format(0)).isEqualTo("1.5");
            assertThat(Values.int8((byte) -128).format(0)).isEqualTo("-128");
            assertThat(Values.uint8(255).format(0)).isEqualTo("255");
            assertThat(Values.uint64(-1).format(0)).isEqualTo("18446744073709551615");
            assertThat(Values.int64(-1).format(0)).isEqualTo("-1");
            assertThat(Values.decode(DType.BOOL, hex("0001ab")).toString()).isEqualTo("3 x bool [false, true, 0xab]");
        } finally {
            Locale.setDefault(former);
        }
    }

    @Test
    void anIndexOutOfRangeIsRefused() {
        assertThatThrownBy(() -> Values.int32(1).format(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Values.float32(1).doubleAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Values.int32().longAt(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void equalityIsThatOfTypeAndBits() {
        assertThat(Values.float32(0f)).isNotEqualTo(Values.float32(-0f)).isNotEqualTo(Values.int32(0));
        assertThat(Values.float32(Float.NaN)).isEqualTo(Values.float32(Float.NaN));
        assertThat(Values.int32(1)).isNotEqualTo(Values.int32(1, 0)).isNotEqualTo(Values.uint32(1));
        assertThat(Values.int32(1)).isNotEqualTo("1");
    }

    @Test
    void theTextOfManyElementsIsBounded() {
        assertThat(Values.int32()).hasToString("0 x int32 []");
        assertThat(Values.float32(1, 2.5f)).hasToString("2 x float32 [1.0, 2.5]");
        assertThat(Values.int32(new int[1_000_000]))
                .hasToString("1000000 x int32 [0, 0, 0, 0, 0, 0, 0, 0, and 999992 more]");
    }

    @Test
    void typesKnowTheirSizeAndKind() {
        assertThat(DType.BFLOAT16.byteSize()).isEqualTo(2);
        assertThat(DType.BFLOAT16.isFloating()).isTrue();
        assertThat(DType.UINT64.byteSize()).isEqualTo(8);
        assertThat(DType.UINT64.isInteger()).isTrue();
        assertThat(DType.UINT64.isUnsigned()).isTrue();
        assertThat(DType.INT8.isUnsigned()).isFalse();
        assertThat(DType.BOOL.isInteger()).isFalse();
        assertThat(DType.BOOL.isFloating()).isFalse();
        for (DType type : DType.values()) {
            assertThat(type).hasToString(type.name().toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void readingManyElementsAgreesWithReadingEach() {
        ByteBuffer memory = ByteBuffer.allocate(4000).order(ByteOrder.LITTLE_ENDIAN);
        new Random(3).nextBytes(memory.array());
        Values halves = Values.decode(DType.FLOAT16, memory.array());
        float[] floats = halves.toFloats();

        for (int i = 0; i < halves.count(); i++) {
            assertSame(floats[i], halves.doubleAt(i));
        }
    }

    /** NaN is the same as NaN here, and the zeros are told apart. */
    private static void assertSame(double actual, double expected) {
        assertThat(Double.valueOf(actual)).isEqualTo(Double.valueOf(expected));
    }

    private static byte[] hex(String digits) {
        String packed = digits.replace(" ", "");
        byte[] bytes = new byte[packed.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(packed.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}

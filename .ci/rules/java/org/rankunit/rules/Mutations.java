package org.rankunit.rules;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Makes bad inputs of good ones, the same ones each time. */
final class Mutations {

    private static final int MAX_CHANGES = 4;
    private static final int MAX_COPIES = 16;
    private static final int LONG_BYTES = 1 << 18;

    private static final Pattern NUMBER = Pattern.compile("-?\\d+");
    private static final List<String> NUMBERS = List.of(
            "-1",
            "0",
            "-0",
            "1",
            "00",
            "255",
            "65536",
            "2147483647",
            "2147483648",
            "-2147483648",
            "4294967295",
            "9223372036854775807",
            "-9223372036854775808",
            "18446744073709551616",
            "99999999999999999999999999",
            "1e309",
            "1e-400",
            "1e999999999",
            "NaN",
            "0x10",
            "\u0661");
    private static final long[] WORDS = {
        0,
        1,
        -1,
        Byte.MAX_VALUE,
        Short.MAX_VALUE,
        Short.MIN_VALUE,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private final Random random;
    private final List<byte[]> seeds;

    Mutations(Random random, List<byte[]> seeds) {
        this.random = random;
        this.seeds = seeds;
    }

    /** One of the seeds with one change or some. */
    byte[] next() {
        byte[] input = anySeed();
        for (int left = 1 + random.nextInt(MAX_CHANGES); left > 0; left--) {
            input = changed(input);
        }
        return input;
    }

    private byte[] anySeed() {
        return seeds.get(random.nextInt(seeds.size()));
    }

    private byte[] changed(byte[] input) {
        int from = random.nextInt(input.length + 1);
        int to = from + random.nextInt(Math.min(input.length - from, anyLength()) + 1);
        byte[] some = part(input, from, to);
        return switch (random.nextInt(9)) {
            case 0 ->
                with(input, from, Math.min(from + 1, input.length), new byte[] {(byte) (at(input, from) ^ bit())});
            case 1 -> with(input, from, Math.min(from + 1, input.length), new byte[] {(byte) random.nextInt()});
            case 2 -> with(input, from, to, new byte[0]);
            case 3 -> with(input, from, from, repeated(some, 1 + random.nextInt(MAX_COPIES)));
            case 4 -> spliced(input, from);
            case 5 -> part(input, 0, from);
            case 6 -> withWord(input, from);
            case 7 -> with(input, random.nextInt(input.length + 1), some);
            default -> withNumber(input);
        };
    }

    /** Short ones are more frequent. */
    private int anyLength() {
        return 1 << random.nextInt(12);
    }

    private int bit() {
        return 1 << random.nextInt(Byte.SIZE);
    }

    private static int at(byte[] input, int index) {
        return index < input.length ? input[index] : 0;
    }

    /** The begin of one input and the end of another. */
    private byte[] spliced(byte[] input, int from) {
        byte[] other = anySeed();
        int rest = random.nextInt(other.length + 1);
        return with(input, from, input.length, part(other, rest, other.length));
    }

    /** With a number of 1, 2, 4 or 8 bytes in either order that is as large as such numbers become. */
    private byte[] withWord(byte[] input, int from) {
        byte[] word = new byte[1 << random.nextInt(4)];
        long value = WORDS[random.nextInt(WORDS.length)];
        boolean bigEndian = random.nextBoolean();
        for (int i = 0; i < word.length; i++) {
            word[bigEndian ? word.length - 1 - i : i] = (byte) (value >>> (Byte.SIZE * i));
        }
        return with(input, from, Math.min(from + word.length, input.length), word);
    }

    /** With another number in place of one that the text has. */
    private byte[] withNumber(byte[] input) {
        List<MatchResult> numbers =
                NUMBER.matcher(new String(input, ISO_8859_1)).results().toList();
        if (numbers.isEmpty()) {
            return input;
        }
        MatchResult one = numbers.get(random.nextInt(numbers.size()));
        String other = NUMBERS.get(random.nextInt(NUMBERS.size()));
        return with(input, one.start(), one.end(), other.getBytes(UTF_8));
    }

    /** A seed that has become long, since a short part of it is there very often. */
    byte[] nextLong() {
        byte[] input = anySeed();
        int from = random.nextInt(input.length + 1);
        byte[] some = part(input, from, Math.min(input.length, from + 1 + random.nextInt(48)));
        return some.length == 0 ? input : with(input, from, from, repeated(some, LONG_BYTES / some.length));
    }

    private static byte[] part(byte[] input, int from, int to) {
        return Arrays.copyOfRange(input, from, to);
    }

    private static byte[] with(byte[] input, int at, byte[] instead) {
        return with(input, at, Math.min(input.length, at + instead.length), instead);
    }

    private static byte[] with(byte[] input, int from, int to, byte[] instead) {
        byte[] result = new byte[from + instead.length + input.length - to];
        System.arraycopy(input, 0, result, 0, from);
        System.arraycopy(instead, 0, result, from, instead.length);
        System.arraycopy(input, to, result, from + instead.length, input.length - to);
        return result;
    }

    private static byte[] repeated(byte[] some, int times) {
        byte[] all = new byte[some.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(some, 0, all, i * some.length, some.length);
        }
        return all;
    }
}

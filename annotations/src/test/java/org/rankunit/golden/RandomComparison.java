package org.rankunit.golden;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.Values;

/**
 * A random comparison: two arrays that differ in some way, and a criterion.
 *
 * @param criterion its name in {@code reference.py}
 * @param parameter that of the criterion, "0" for none
 * @param share of elements that may differ
 * @param third the result of another implementation, for a level
 */
record RandomComparison(
        DType type,
        String criterion,
        String parameter,
        double share,
        boolean nanEqualsNan,
        Values expected,
        Values actual,
        @Nullable Values third) {

    private static final List<DType> OF_TORCH = List.of(
            DType.FLOAT16,
            DType.BFLOAT16,
            DType.FLOAT32,
            DType.FLOAT64,
            DType.INT8,
            DType.UINT8,
            DType.INT16,
            DType.INT32,
            DType.INT64);

    static RandomComparison ofAnyStandard(int seed) {
        Random random = new Random(seed);
        DType[] types = DType.values();
        DType type = types[random.nextInt(types.length)];
        String criterion = criterionFor(type, random);
        String parameter = parameterOf(criterion, random);
        boolean takesShare = criterion.equals("close") || criterion.equals("within");
        double share = takesShare && random.nextInt(3) == 0
                ? List.of(0.29, 0.1, 0.01, 0.5).get(random.nextInt(4))
                : 0;
        int count = random.nextInt(8) == 0 ? 1 + random.nextInt(1500) : 1 + random.nextInt(60);
        Values expected = values(type, count, random);
        boolean nan = !criterion.equals("exactBits") && random.nextBoolean();
        return new RandomComparison(
                type,
                criterion,
                parameter,
                share,
                nan,
                expected,
                changed(expected, random),
                criterion.equals("level") ? changed(expected, random) : null);
    }

    static RandomComparison ofTorch(int seed) {
        Random random = new Random(seed);
        DType type = OF_TORCH.get(random.nextInt(OF_TORCH.size()));
        Values expected = values(type, 1 + random.nextInt(60), random);
        return new RandomComparison(
                type, "close", "0", 0, random.nextBoolean(), expected, changed(expected, random), null);
    }

    private static String criterionFor(DType type, Random random) {
        List<String> all = !type.isFloating()
                ? type == DType.BOOL ? List.of("close", "exactBits") : List.of("close", "exactBits", "ulps")
                : switch (type) {
                    case FLOAT64 -> List.of("close", "within", "exactBits", "doublePerMille", "ulps", "cosine");
                    case FLOAT16, BFLOAT16, FLOAT32 ->
                        List.of(
                                "close",
                                "within",
                                "exactBits",
                                "doublePerMille",
                                "ulps",
                                "cosine",
                                "meanAndMaximum",
                                "mixedTolerance",
                                "reduction",
                                "level");
                    case HIFLOAT8 -> List.of("close", "within", "exactBits", "ulps", "cosine");
                    default ->
                        List.of(
                                "close",
                                "within",
                                "exactBits",
                                "ulps",
                                "cosine",
                                "meanAndMaximum",
                                "mixedTolerance",
                                "level");
                };
        return all.get(random.nextInt(all.size()));
    }

    private static String parameterOf(String criterion, Random random) {
        return switch (criterion) {
            case "within" ->
                Math.pow(10, -random.nextInt(8)) + ","
                        + (random.nextBoolean() ? 0.0 : Math.pow(10, -random.nextInt(8)));
            case "ulps" -> Integer.toString(random.nextInt(5));
            case "cosine" -> List.of("0.5", "0.99", "0.9999").get(random.nextInt(3));
            case "reduction" -> random.nextBoolean() ? "16" : "4096";
            case "level" -> List.of("L0", "L1", "L2").get(random.nextInt(3));
            default -> "0";
        };
    }

    private static Values values(DType type, int count, Random random) {
        if (!type.isFloating()) {
            byte[] bits = new byte[count * type.byteSize()];
            random.nextBytes(bits);
            for (int i = 0; type == DType.BOOL && i < bits.length; i++) {
                bits[i] = (byte) (random.nextInt(20) == 0 ? bits[i] : bits[i] & 1);
            }
            return Values.decode(type, bits);
        }
        int kind = random.nextInt(5);
        if (kind == 0) {
            byte[] bits = new byte[count * type.byteSize()];
            random.nextBytes(bits);
            return Values.decode(type, bits);
        }
        double scale = kind == 1 ? 1 : Math.scalb(1.0, random.nextInt(40) - 20);
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = switch (kind) {
                case 1 -> random.nextInt(20) - 5;
                case 2 -> random.nextGaussian() * scale;
                case 3 -> random.nextInt(10) == 0 ? special(random) : random.nextDouble() * scale;
                default -> Math.scalb(random.nextGaussian(), random.nextInt(60) - 30);
            };
        }
        return Values.rounded(type, numbers);
    }

    private static double special(Random random) {
        double[] all = {
            0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 1e-40, 1e300
        };
        return all[random.nextInt(all.length)];
    }

    /** In one of several ways: nothing, some bits, steps, relative errors, or single elements that are quite different. */
    private static Values changed(Values values, Random random) {
        byte[] bytes = values.encode();
        int size = values.type().byteSize();
        int kind = random.nextInt(6);
        double rate = List.of(0.02, 0.3, 1.0).get(random.nextInt(3));
        double error = Math.pow(10, -random.nextInt(9));
        double[] numbers = values.type().isFloating() && kind >= 3 ? values.toDoubles() : new double[0];
        for (int i = 0; i < values.count(); i++) {
            if (random.nextDouble() >= rate) {
                continue;
            }
            switch (kind) {
                case 1 -> bytes[i * size] ^= (byte) (1 << random.nextInt(3));
                case 2 -> bytes[i * size + random.nextInt(size)] ^= (byte) (1 << random.nextInt(8));
                case 3 ->
                    change(numbers, i, numbers.length == 0 ? 0 : numbers[i] * (1 + error * random.nextGaussian()));
                case 4 -> change(numbers, i, numbers.length == 0 ? 0 : numbers[i] + error * random.nextGaussian());
                case 5 -> change(numbers, i, special(random));
                default -> {}
            }
        }
        return numbers.length == 0 ? Values.decode(values.type(), bytes) : Values.rounded(values.type(), numbers);
    }

    private static void change(double[] numbers, int index, double value) {
        if (numbers.length > 0) {
            numbers[index] = value;
        }
    }

    String line() {
        return type + " " + criterion + " " + parameter + " " + share + " " + nanEqualsNan + " " + hex(expected) + " "
                + hex(actual) + " " + (third == null ? "-" : hex(third));
    }

    private static String hex(Values values) {
        return HexFormat.of().formatHex(values.encode());
    }

    /** What our golden says. */
    GoldenSummary judged() {
        Golden golden = Golden.of("output", expected);
        golden = golden.using(share == 0 ? ours() : ours().allowing(share));
        golden = nanEqualsNan ? golden.nanEqualsNan() : golden;
        try {
            return golden.verify(actual);
        } catch (GoldenMismatchError e) {
            return e.summary();
        }
    }

    private Criterion ours() {
        return switch (criterion) {
            case "close" -> Criterion.close();
            case "within" -> {
                double[] both = Arrays.stream(parameter.split(","))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                yield Criterion.close(both[0], both[1]);
            }
            case "exactBits" -> Criterion.exactBits();
            case "doublePerMille" -> Criterion.doublePerMille();
            case "ulps" -> Criterion.ulps(Integer.parseInt(parameter));
            case "cosine" -> Criterion.cosine(Double.parseDouble(parameter));
            case "meanAndMaximum" -> Criterion.meanAndMaximumRelativeError();
            case "mixedTolerance" -> Criterion.mixedTolerance();
            case "reduction" -> Criterion.reduction(Integer.parseInt(parameter));
            default -> Criterion.level(Criterion.Level.valueOf(parameter), third == null ? expected : third);
        };
    }
}

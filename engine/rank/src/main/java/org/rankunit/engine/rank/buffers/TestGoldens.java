package org.rankunit.engine.rank.buffers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.RankBuffer;
import org.rankunit.Values;
import org.rankunit.comm.CommException;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.golden.Golden;
import org.rankunit.golden.GoldenLog;
import org.rankunit.golden.files.RankFiles;
import org.rankunit.golden.files.ValueFiles;
import org.rankunit.golden.model.OutputCheck;
import org.rankunit.golden.pattern.NeverWritten;

/** What a golden model or files give for one test: this rank loads its inputs before the test, and verifies its outputs after it. */
public final class TestGoldens {

    /** The limit of the test, which the parent watches, ends a wait much earlier. */
    private static final Duration LIMIT_OF_THE_TEST = Duration.ofDays(1);

    private final TestSelection test;
    private final TestSelection.Goldens goldens;
    private final LiveRankContext rank;
    private final GoldenData data;

    private TestGoldens(TestSelection test, LiveRankContext rank, GoldenData data) {
        this.test = test;
        this.goldens = Objects.requireNonNull(test.goldens(), "a test that makes its goldens itself");
        this.rank = rank;
        this.data = data;
    }

    /** Those that the parent has prepared in files; none of a test whose model is computed per invocation. */
    public static TestGoldens inFiles(TestSelection test, LiveRankContext rank) {
        return new TestGoldens(test, rank, new FileData(Objects.requireNonNull(test.goldens()), rank));
    }

    /** Those of a test whose model is computed here, for an invocation with these arguments. */
    public static TestGoldens ofInvocation(TestSelection test, LiveRankContext rank, List<@Nullable Object> arguments) {
        return new TestGoldens(test, rank, new ModelledData(test.declaration(), rank, arguments));
    }

    /** Whether a test has a model that is computed for each invocation. */
    public static boolean arePerInvocation(TestSelection test) {
        TestDeclaration.GoldenSource source = test.declaration().goldens();
        return source != null && source.perInvocation();
    }

    /** Load the inputs into the buffers, whose types and counts they have. */
    public void load() {
        for (String name : data.inputs()) {
            rank.buffer(name).write(data.input(name, rank.rank()));
        }
    }

    /**
     * Wait until all ranks have loaded theirs. An output that is verified on some of them only is refused; those that every rank needs are
     * not compared.
     */
    public void awaitOthers() {
        List<String> optional = test.declaration().buffers().stream()
                .filter(buffer ->
                        buffer.role() == Buffer.Role.INOUT || buffer.role() == Buffer.Role.PLAIN || buffer.unverified())
                .map(BufferDeclaration::name)
                .toList();
        if (optional.isEmpty()) {
            rank.barrier();
            return;
        }
        boolean[] verified = new boolean[optional.size()];
        data.outputs().stream()
                .mapToInt(output -> optional.indexOf(output.buffer()))
                .filter(index -> index >= 0)
                .forEach(index -> verified[index] = true);
        List<boolean[]> all = rank.allGather(Values.bool(verified)).stream()
                .map(Values::toBooleans)
                .toList();
        for (int i = 0; i < verified.length; i++) {
            int index = i;
            List<Integer> with = IntStream.range(0, all.size())
                    .filter(each -> all.get(each)[index])
                    .boxed()
                    .toList();
            if (!with.isEmpty() && with.size() < all.size()) {
                TestDeclaration.GoldenSource source =
                        Objects.requireNonNull(test.declaration().goldens());
                throw new AssertionFailedError(source.onlyForSome(optional.get(i), with, all.size()));
            }
        }
    }

    /**
     * Verify the outputs of a test whose method has ended here. All outputs that are wrong are reported. If some rank has wrong
     * outputs, all ranks write theirs.
     *
     * @param uniqueId the test, or an invocation of it
     * @param verified receives outputs that need not be verified any more
     */
    public void finish(String uniqueId, Consumer<RankBuffer> verified) {
        // Other ranks may still write into the window of this one, until their methods have ended too.
        meet();
        if (goldens.update()) {
            write(uniqueId);
            for (TestSelection.Output output : data.outputs()) {
                RankBuffer buffer = rank.buffer(output.buffer());
                GoldenLog.updates(buffer);
                verified.accept(buffer);
            }
            return;
        }
        List<Throwable> wrong = new ArrayList<>();
        OutputCheck check = checkOf(goldens.check());
        for (TestSelection.Output output : data.outputs()) {
            try {
                goldenOf(output, check).verify(rank.buffer(output.buffer()));
            } catch (AssertionError | RuntimeException e) {
                wrong.add(e);
            }
        }
        if (wrong.isEmpty()) {
            writeIfOthersFail(uniqueId);
        } else {
            throw failed(uniqueId, wrong);
        }
    }

    /** Compare nothing; the receiver gets each output. */
    public void skip(Consumer<RankBuffer> skipped) {
        data.outputs().forEach(output -> skipped.accept(rank.buffer(output.buffer())));
    }

    private void meet() {
        if (test.declaration().communicator()) {
            rank.barrier(LIMIT_OF_THE_TEST);
        }
    }

    private Golden goldenOf(TestSelection.Output output, OutputCheck check) {
        DType type = rank.buffer(output.buffer()).type();
        boolean unwritten = output.unwrittenOn().contains(rank.rank());
        String name = output.buffer() + (unwritten ? " (must stay unwritten)" : "");
        Golden golden = Golden.perRank(name, rank, each -> expectedOf(output, each, type));
        // Asked for only if the output is wrong.
        for (String input : data.inputs()) {
            golden = golden.withInput(input, each -> data.input(input, each));
        }
        return unwritten ? golden.exactBits() : check.check(output.buffer(), golden);
    }

    private Values expectedOf(TestSelection.Output output, int ofRank, DType type) {
        return output.unwrittenOn().contains(ofRank)
                ? Values.decode(
                        type,
                        NeverWritten.fill(type, rank.buffer(output.buffer()).count()))
                : data.expected(output, ofRank, type);
    }

    private static OutputCheck checkOf(String name) {
        if (name.equals(OutputCheck.class.getName())) {
            return new OutputCheck() {};
        }
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return (OutputCheck) ReflectionSupport.newInstance(Class.forName(name, true, loader));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("this rank cannot find the class " + name + " of the test's goldens", e);
        }
    }

    /** A rank whose outputs are right learns here whether those of the others are. Without a communicator it cannot, and writes always. */
    private void writeIfOthersFail(String uniqueId) {
        if (!test.declaration().communicator()) {
            write(uniqueId);
            return;
        }
        try {
            meet();
        } catch (CommException released) {
            write(uniqueId);
        }
    }

    /** Each exception says by itself what is wrong. */
    private Error failed(String uniqueId, List<Throwable> wrong) {
        @Nullable RuntimeException unwritten = null;
        try {
            write(uniqueId);
        } catch (RuntimeException e) {
            unwritten = e;
        }
        Throwable only = wrong.get(0);
        Error error = wrong.size() == 1 && only instanceof Error single
                ? single
                : new MultipleFailuresError(wrong.size() + " outputs are wrong", wrong);
        if (error instanceof MultipleFailuresError) {
            wrong.forEach(error::addSuppressed);
        }
        if (unwritten != null) {
            error.addSuppressed(unwritten);
        }
        return error;
    }

    private void write(String uniqueId) {
        Path folder = goldens.actualOf(test.uniqueId(), uniqueId);
        RankFiles own = RankFiles.of(folder, rank.rank());
        try {
            Files.createDirectories(rank.files().local(own.folder()));
        } catch (IOException e) {
            throw new UncheckedIOException("the actual outputs cannot be written: " + e.getMessage(), e);
        }
        for (TestSelection.Output output : data.outputs()) {
            RankBuffer buffer = rank.buffer(output.buffer());
            Path file = own.npy(output.file());
            ValueFiles.write(rank.files().local(file), buffer.read(), buffer.shape());
            rank.files().publish(file);
        }
    }
}

package org.rankunit.engine.rank.buffers;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.golden.files.RankFiles;
import org.rankunit.golden.files.ValueFiles;

/** Goldens in files of the parent, which has checked their types and counts. */
final class FileData implements GoldenData {

    private final TestSelection.Goldens goldens;
    private final LiveRankContext rank;

    /** Files that this rank has got from the parent, by where the parent has them. */
    private final Map<RankFiles, RankFiles> fetched = new HashMap<>();

    FileData(TestSelection.Goldens goldens, LiveRankContext rank) {
        this.goldens = goldens;
        this.rank = rank;
    }

    @Override
    public List<String> inputs() {
        return goldens.inputs();
    }

    @Override
    public Values input(String name, int ofRank) {
        Path file = filesOf(goldens.inputFolder(), ofRank).required(name);
        return ValueFiles.read(file, rank.buffer(name).type());
    }

    @Override
    public List<TestSelection.Output> outputs() {
        return goldens.outputs();
    }

    @Override
    public Values expected(TestSelection.Output output, int ofRank, DType type) {
        return ValueFiles.read(filesOf(goldens.outputFolder(), ofRank).required(output.file()), type);
    }

    /** The parent's files of a rank. */
    private RankFiles filesOf(String folder, int ofRank) {
        return fetched.computeIfAbsent(
                RankFiles.of(Path.of(folder), ofRank),
                files -> new RankFiles(rank.files().fetchFolder(files.folder())));
    }
}

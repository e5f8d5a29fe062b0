package org.rankunit.samples;

import org.rankunit.golden.Golden;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** What each rank brings to TREDUCE, and what it has afterwards: the root the sum of all inputs, every other rank an output that nobody wrote. */
final class TreduceModel implements RankModel {

    @Override
    public void compute(ModelRank rank, ModelData data) {
        data.input("input", TreduceData.inputOf(rank.rank()));
        if (rank.rank() == rank.intParameter("root", 0)) {
            data.output("output", TreduceData.sumOfAllInputs(rank.worldSize()));
        } else {
            data.unwritten("output");
        }
    }

    @Override
    public Golden check(String output, Golden golden) {
        return golden.within(1e-5, 1e-5);
    }
}

/* Comparisons with goldens: how far each rank's output was from what was expected. */

/** The comparisons of a test, by name and by how often that name came before. */
function goldenGroups(test) {
  const groups = new Map();
  for (const rank of test.ranks) {
    const seen = new Map();
    for (const golden of rank.goldens) {
      const count = (seen.get(golden.name) || 0) + 1;
      seen.set(golden.name, count);
      const key = golden.name + '\n' + count;
      if (!groups.has(key)) groups.set(key, { name: count === 1 ? golden.name : golden.name + ' (' + count + ')', rows: [] });
      groups.get(key).rows.push({ rank: rank.rank, golden });
    }
  }
  return [...groups.values()].sort((a, b) => wrong(b) - wrong(a));
}

const wrong = group => group.rows.some(row => row.golden.mismatches > 0) ? 1 : 0;

const at = index => index < 0 ? '' : '[' + index + ']';

function samplesOf(group) {
  const rows = group.rows.flatMap(({ rank, golden }) => golden.samples.map(sample => [
    rank, at(sample.index), el('code', {}, sample.expected), el('code', { class: 'differs' }, sample.actual), number(sample.difference)]));
  return rows.length === 0 ? null : table('Elements of ' + group.name + ' that differ',
    [numbers('Rank'), numbers('Index'), numbers('Expected'), numbers('Actual'), numbers('Difference')], rows);
}

function goldenView(group) {
  const first = group.rows[0].golden;
  const differing = group.rows.filter(row => row.golden.mismatches > 0);
  const allowed = first.rtol === 0 && first.atol === 0 ? 'exact' : 'rtol ' + number(first.rtol) + ', atol ' + number(first.atol);
  const same = group.rows.filter(row => row.golden.mismatches === 0);
  const rows = (differing.length ? differing : group.rows).map(({ rank, golden }) => [
    rank, golden.mismatches === 0 ? '0' : golden.mismatches + ' of ' + golden.count,
    number(golden.maxAbsolute), at(golden.maxAbsoluteIndex), number(golden.maxRelative), at(golden.maxRelativeIndex)]);
  const heads = [numbers('Rank'), numbers('Differ'), numbers('Largest difference'), numbers('at'), numbers('Largest relative'), numbers('at')];
  const numbersOfRanks = table('Comparison of ' + group.name + ' on each rank', heads, rows);
  return el('div', { class: 'golden' },
    el('h4', {}, el('span', { class: differing.length ? 'is-failed' : 'is-passed', 'aria-hidden': 'true' }, differing.length ? '✕ ' : '✓ '),
      group.name, el('span', { class: 'dim' }, '  ' + first.type.toLowerCase() + ', ' + plural(first.count, 'element') + ', ' + allowed
        + (differing.length ? '; differs on ' + plural(differing.length, 'rank') + (same.length ? ', equal on ' + ranges(same.map(row => row.rank)) : '') : '; equal on all ranks'))),
    errorPictures(group),
    differing.length ? [samplesOf(group), el('details', { open: group.rows.length <= 8 }, el('summary', {}, 'Largest differences'), numbersOfRanks)]
      : el('details', {}, el('summary', {}, 'Margins'), numbersOfRanks));
}

/** Nothing, as long as a comparison keeps no more than its extremes. */
function errorPictures(group) {
  return null;
}

function goldensView(test) {
  const groups = goldenGroups(test);
  if (groups.length === 0) return null;
  return [el('h3', {}, 'Goldens'), groups.map(goldenView)];
}

/* Comparisons with goldens: how far each rank's output was from what was expected. */

const isMet = golden => golden.mismatches <= golden.allowed && golden.nonFinite === 0 && golden.statistics.every(each => each.met);

/** The comparisons of a test, by name and by how often that name came before; those that failed first. */
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
  const failed = group => group.rows.some(row => !isMet(row.golden));
  return [...groups.values()].sort((a, b) => failed(b) - failed(a));
}

const at = index => index < 0 ? '' : '[' + index + ']';

function samplesOf(group) {
  const rows = group.rows.flatMap(({ rank, golden }) => golden.samples.map(sample => [
    rank, at(sample.index), el('code', {}, sample.expected), el('code', { class: 'differs' }, sample.actual), number(sample.difference)]));
  return rows.length === 0 ? null : table('First elements of ' + group.name + ' that differ',
    [numbers('Rank'), numbers('Index'), numbers('Expected'), numbers('Actual'), numbers('Difference')], rows);
}

function marginsOf(group, rows) {
  return table('Comparison of ' + group.name + ' on each rank',
    [numbers('Rank'), numbers('Outside tolerance'), numbers('Not finite'), numbers('Bits differ'), numbers('Largest difference'), numbers('at'), numbers('Largest relative'), numbers('at')],
    rows.map(({ rank, golden }) => [rank,
      golden.mismatches + ' of ' + golden.count + (golden.allowed > 0 ? ', ' + golden.allowed + ' allowed' : ''), golden.nonFinite, golden.bitDifferences,
      number(golden.maxAbsolute), at(golden.maxAbsoluteIndex), number(golden.maxRelative), at(golden.maxRelativeIndex)]));
}

function statisticsOf(group) {
  const rows = group.rows.flatMap(({ rank, golden }) => golden.statistics.map(each => [rank, each.name,
    el('span', { class: each.met ? null : 'is-failed' }, number(each.value)), each.limit, each.met ? 'yes' : 'no']));
  return rows.length === 0 ? null : el('details', { open: rows.some(row => row[4] === 'no') }, el('summary', {}, 'Statistics of the whole output'),
    table('Statistics of ' + group.name, [numbers('Rank'), column('Statistic'), numbers('Is'), column('Has to be'), column('Met')], rows));
}

/** Rank by part of the output: the larger the error, the stronger the colour, by its logarithm. */
function heatMap(group, rows) {
  const finite = rows.flatMap(row => row.golden.errors.profile).filter(error => Number.isFinite(error) && error > 0);
  const most = Math.log10(Math.max(...finite, Number.MIN_VALUE)), least = Math.min(most - 1, Math.log10(Math.min(...finite, Infinity)));
  const parts = Math.max(...rows.map(row => row.golden.errors.profile.length));
  return lanes(el('div', {}), 'Errors', width => {
    const left = 66, height = rows.length > 16 ? 10 : 18, inside = Math.max(60, Math.min(width - left - 20, 900)), cell = inside / parts, drawn = [];
    rows.forEach(({ rank, golden }, i) => {
      const y = i * height;
      if (height > 10 || i % 2 === 0) drawn.push(svg('text', { x: 0, y: y + height - 5 }, 'rank ' + rank));
      golden.errors.profile.forEach((error, part) => {
        const box = svg('rect', { x: left + part * cell, y, width: Math.max(0.5, cell - 0.6), height: height - 1.5, class: error === 0 ? 'base' : Number.isFinite(error) ? 'error' : 'not-finite' },
          svg('title', {}, 'rank ' + rank + ', elements from ' + Math.floor(part * golden.count / golden.errors.profile.length) + ' on: ' + (Number.isFinite(error) ? 'largest error ' + number(error) : 'not finite')));
        if (Number.isFinite(error) && error > 0) box.style.fillOpacity = 0.1 + 0.9 * (Math.log10(error) - least) / (most - least || 1);
        drawn.push(box);
      });
    });
    const bottom = rows.length * height + 12, count = rows[0].golden.count;
    drawn.push(svg('text', { class: 'dim', x: left, y: bottom }, '[0]'), svg('text', { class: 'dim', x: left + inside, y: bottom, 'text-anchor': 'end' }, '[' + (count - 1) + ']'));
    return svg('svg', { class: 'chart', width, height: bottom + 4, role: 'img',
      'aria-label': 'Largest error in each part of ' + group.name + ', by rank; the strongest colour is ' + number(Math.pow(10, most)) }, drawn);
  });
}

function histogram(group, rows) {
  const first = Math.min(...rows.map(row => row.golden.errors.firstDecade)), sums = [];
  for (const { golden } of rows) {
    golden.errors.histogram.forEach((count, i) => {
      const place = golden.errors.firstDecade - first + i;
      sums[place] = (sums[place] || 0) + count;
    });
  }
  if (sums.length === 0) return null;
  const most = Math.max(...sums.map(sum => sum || 0)), bar = 30, height = 70, drawn = [];
  for (let i = 0; i < sums.length; i++) {
    const size = sums[i] ? Math.max(2, sums[i] / most * height) : 0;
    drawn.push(svg('rect', { class: 'p-run', x: i * bar + 3, y: height - size + 14, width: bar - 6, height: size }, svg('title', {}, (sums[i] || 0) + ' elements with an error from 1e' + (first + i) + ' to 1e' + (first + i + 1))));
    if (sums[i]) drawn.push(svg('text', { class: 'dim', x: i * bar + bar / 2, y: height - size + 10, 'text-anchor': 'middle' }, sums[i] > 9999 ? Math.round(sums[i] / 1000) + 'k' : sums[i]));
    drawn.push(svg('text', { class: 'dim', x: i * bar + bar / 2, y: height + 28, 'text-anchor': 'middle' }, '1e' + (first + i)));
  }
  return el('figure', {}, svg('svg', { class: 'chart', width: sums.length * bar, height: height + 34, role: 'img',
    'aria-label': 'Number of elements of ' + group.name + ' by the decade of their error: ' + sums.map((sum, i) => (sum || 0) + ' from 1e' + (first + i)).join(', ') }, drawn),
  el('figcaption', { class: 'dim' }, 'elements by absolute error'));
}

function errorPictures(group) {
  const rows = group.rows.filter(row => row.golden.errors && row.golden.errors.profile.length > 0);
  if (rows.length === 0) return null;
  return [el('p', { class: 'dim' }, 'Largest absolute error in each part of the index range'), heatMap(group, rows),
    legend([['base', 'no error'], ['error', 'the stronger, the larger, by its logarithm'], ['not-finite', 'not finite']])];
}

/** Criteria of goldens that were not compared. */
const UNVERIFIED = new Map([['not verified', 'not verified: goldens were skipped'], ['updated, not verified', 'golden updated, not verified']]);

function goldenView(group) {
  const first = group.rows[0].golden;
  if (UNVERIFIED.has(first.criterion)) {
    return el('div', { class: 'golden' }, el('h4', {}, group.name,
      el('span', { class: 'dim' }, '  ' + first.type.toLowerCase() + ', ' + plural(first.count, 'element') + ', ' + UNVERIFIED.get(first.criterion))));
  }
  const differing = group.rows.filter(row => !isMet(row.golden));
  const same = group.rows.filter(row => isMet(row.golden));
  const allowed = first.criterion + (first.rtol === 0 && first.atol === 0 ? '' : ' with rtol ' + number(first.rtol) + ', atol ' + number(first.atol));
  const verdict = differing.length === 0 ? '; within it on all ranks'
    : '; not on ' + (differing.length === 1 ? 'rank ' : 'ranks ') + ranges(differing.map(row => row.rank)) + (same.length ? ', within it on ' + ranges(same.map(row => row.rank)) : '');
  const histograms = group.rows.filter(row => row.golden.errors);
  return el('div', { class: 'golden' },
    el('h4', {}, el('span', { class: differing.length ? 'is-failed' : 'is-passed', 'aria-hidden': 'true' }, differing.length ? '✕ ' : '✓ '),
      group.name, el('span', { class: 'dim' }, '  ' + first.type.toLowerCase() + ', ' + plural(first.count, 'element') + ', ' + allowed + verdict)),
    differing.length > 0 && el('div', { class: 'beside' }, samplesOf(group), histograms.length > 0 && histogram(group, histograms)),
    errorPictures(group),
    statisticsOf(group),
    differing.length > 0 ? el('details', { open: group.rows.length <= 8 }, el('summary', {}, 'Largest differences'), marginsOf(group, differing))
      : el('details', {}, el('summary', {}, 'Margins'), marginsOf(group, group.rows)));
}

function goldensView(test) {
  const groups = goldenGroups(test);
  return groups.length === 0 ? null : [el('h3', {}, 'Goldens'), groups.map(goldenView)];
}

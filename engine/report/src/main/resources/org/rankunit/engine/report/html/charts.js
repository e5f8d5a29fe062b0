/* Pictures of one test: lanes of ranks, and who waits for whom. */

const PHASES = {
  'golden models': ['p-prepare', 'golden models'], compile: ['p-compile', 'compile'], 'prepare data': ['p-prepare', 'prepare data'], 'bring up': ['p-bring-up', 'bring up'],
  barrier: ['p-barrier', 'barrier: waits for others'], run: ['p-run', 'run: the test itself'],
  'collect outputs': ['p-collect', 'collect outputs'], verify: ['p-verify', 'verify'], 'tear down': ['p-tear-down', 'tear down'],
  unknown: ['p-unknown', 'ended without a report'],
};

function legend(entries) {
  return el('div', { class: 'legend' }, entries.map(([look, text]) =>
    el('span', {}, svg('svg', { 'aria-hidden': 'true', viewBox: '0 0 10 10' }, svg('rect', { width: 10, height: 10, rx: 2, class: look })), text)));
}

/** Round steps for an axis of this length: 1, 2 or 5 times a power of ten. */
function ticks(length, most) {
  const rough = length / most, power = Math.pow(10, Math.floor(Math.log10(rough || 1)));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough) || power;
  const all = [];
  for (let i = 0; i * step <= length * 1.0001; i++) all.push(i * step);
  return all;
}

function axis(parts, left, width, height, begin, end) {
  for (const tick of ticks(end - begin, Math.max(2, width / 90))) {
    const x = left + tick / (end - begin) * width;
    parts.push(svg('line', { class: 'axis', x1: x, x2: x, y1: 0, y2: height }),
      svg('text', { class: 'dim', x, y: height + 14, 'text-anchor': tick === 0 ? 'start' : 'middle' }, time(tick)));
  }
}

/** Draws lanes into a box, and again whenever its width changes. */
function lanes(box, title, drawn) {
  let last = 0;
  const draw = () => {
    const width = Math.floor(box.clientWidth);
    if (width > 0 && width !== last) {
      last = width;
      box.replaceChildren(drawn(width));
    }
  };
  new ResizeObserver(draw).observe(box);
  box.redraw = () => { last = 0; draw(); };
  return box;
}

/** The blocks of one rank, in the order in which they are drawn: the run as a whole first, and above it what it contains. */
function blocks(test, rank) {
  const all = rank.phases.filter(phase => ['golden models', 'compile', 'tear down'].includes(phase.name) && phase.start !== null);
  const spans = rank.spans.length ? rank.spans : rank.phases.filter(phase => phase.start !== null);
  const known = [...all, ...spans.filter(span => span.name === 'run'), ...spans.filter(span => span.name !== 'run')];
  if (!known.some(span => span.name === 'run') && rank.end !== null && test.start !== null && rank.end > test.start) {
    known.push({ name: 'unknown', start: test.start, milliseconds: rank.end - test.start });
  }
  return known;
}

function swimLanes(test) {
  const rows = test.ranks.map(rank => ({ rank, blocks: blocks(test, rank) }));
  const used = rows.flatMap(row => row.blocks);
  if (used.length === 0) return null;
  const inner = used.filter(block => !['golden models', 'compile', 'bring up', 'tear down'].includes(block.name));
  const range = blocksShown => [Math.min(...blocksShown.map(each => each.start)), Math.max(...blocksShown.map(each => each.start + each.milliseconds))];
  const whole = range(used);
  const own = inner.length ? range(inner) : whole;
  let shown = (own[1] - own[0]) * 4 > whole[1] - whole[0] ? whole : own;
  const box = lanes(el('div', {}), 'Lanes', width => {
    const left = 66, right = 74, height = 20, span = Math.max(shown[1] - shown[0], 0.001), inside = Math.max(60, width - left - right);
    const parts = [];
    axis(parts, left, inside, rows.length * height, 0, span);
    rows.forEach(({ rank, blocks: own_ }, i) => {
      const y = i * height + 3;
      parts.push(svg('text', { x: 0, y: y + 11 }, 'rank ' + rank.rank), svg('rect', { class: 'base', x: left, y, width: inside, height: 14, opacity: 0.35 }));
      for (const block of own_) {
        const from = Math.max(block.start, shown[0]), to = Math.min(block.start + block.milliseconds, shown[1]);
        if (to < shown[0] || from > shown[1]) continue;
        const x = left + (from - shown[0]) / span * inside;
        const part = svg('rect', { class: PHASES[block.name][0], x, y, width: Math.max(1, (to - from) / span * inside), height: 14 },
          svg('title', {}, 'rank ' + rank.rank + ', ' + block.name + ': ' + time(block.milliseconds) + ', from ' + time(Math.max(0, block.start - own[0])) + ' on'));
        parts.push(part);
      }
      if (rank.end !== null && rank.end >= shown[0] && rank.end <= shown[1] && !['passed', 'skipped', 'not-run'].includes(rank.outcome)) {
        const x = left + (rank.end - shown[0]) / span * inside;
        parts.push(svg('line', { class: rank.outcome === 'released' ? 'axis' : 'mark', x1: x, x2: x, y1: y - 3, y2: y + 17 }));
      }
      parts.push(svg('text', { x: left + inside + 8, y: y + 11, class: rank.outcome === 'passed' ? 'dim' : null }, rank.outcome));
    });
    return svg('svg', { class: 'chart', width, height: rows.length * height + 20, role: 'img',
      'aria-label': 'When each rank was in which phase; the table below has the numbers' }, parts);
  });
  const button = (text, what) => el('button', { type: 'button', 'aria-pressed': String(shown === what), onclick: event => {
    shown = what;
    for (const each of event.target.parentNode.children) each.setAttribute('aria-pressed', String(each === event.target));
    box.redraw();
  } }, text);
  const both = whole[0] < own[0] || whole[1] > own[1];
  const names = Object.keys(PHASES).filter(name => used.some(block => block.name === name));
  const phaseRows = test.ranks.flatMap(rank => rank.phases.map(phase => [rank.rank, phase.name, phase.start === null ? '' : time(Math.max(0, phase.start - whole[0])), time(phase.milliseconds)]));
  return [
    el('h3', {}, 'Ranks over time', both && el('span', { class: 'switch', role: 'group', 'aria-label': 'Part shown' },
      button('the test', own), button('with bring-up and tear-down', whole))),
    box, legend(names.map(name => PHASES[name])),
    phaseRows.length > 0 && el('details', {}, el('summary', {}, 'Phases as numbers'),
      table('Phases of each rank', [numbers('Rank'), column('Phase'), numbers('Begins at'), numbers('Takes')], phaseRows)),
  ];
}

/** Ranks in a circle, with an arrow from each to those it waits for. */
function hangPicture(hang, ranks) {
  const involved = [...new Set(hang.waits.flatMap(wait => [wait.rank, ...wait.awaited]))].sort((a, b) => a - b);
  const all = ranks <= 16 ? Array.from({ length: ranks }, (_, i) => i) : involved;
  if (!hang.waits.some(wait => wait.awaited.length)) return null;
  const size = Math.min(380, 130 + all.length * 16), middle = size / 2, radius = middle - 22, dot = all.length > 24 ? 10 : 14;
  const place = new Map(all.map((rank, i) => {
    const angle = -Math.PI / 2 + i / all.length * 2 * Math.PI;
    return [rank, [middle + radius * Math.cos(angle), middle + radius * Math.sin(angle)]];
  }));
  const waiting = new Set(hang.waits.map(wait => wait.rank));
  const awaited = new Set(hang.waits.flatMap(wait => wait.awaited));
  const parts = [svg('defs', {}, svg('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
    svg('path', { class: 'tip', d: 'M0 0L8 4L0 8Z' })))];
  for (const wait of hang.waits) {
    for (const other of wait.awaited) {
      const [x1, y1] = place.get(wait.rank), [x2, y2] = place.get(other);
      const length = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / length, uy = (y2 - y1) / length, bend = length * 0.12;
      const from = [x1 + ux * dot, y1 + uy * dot], to = [x2 - ux * (dot + 2), y2 - uy * (dot + 2)];
      const via = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
      parts.push(svg('path', { class: 'edge', 'marker-end': 'url(#tip)', d: `M${from}Q${via} ${to}` },
        svg('title', {}, `rank ${wait.rank} waits in ${wait.where} for rank ${other}`)));
    }
  }
  for (const [rank, [x, y]] of place) {
    const look = awaited.has(rank) && !waiting.has(rank) ? 'node awaited' : waiting.has(rank) ? 'node waits' : 'node';
    parts.push(svg('circle', { class: look, cx: x, cy: y, r: dot }), svg('text', { x, y: y + 4, 'text-anchor': 'middle' }, rank));
  }
  const label = hang.waits.map(wait => 'rank ' + wait.rank + ' waits for ' + (wait.awaited.length ? 'ranks ' + ranges(wait.awaited) : 'nobody known')).join('; ');
  return svg('svg', { class: 'chart', width: size, height: size, viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label }, parts);
}

/** Ranks that wait for the same in the same place, together. */
function foldedWaits(waits) {
  const folded = new Map();
  for (const wait of waits) {
    const key = wait.where + '\n' + wait.awaited;
    if (!folded.has(key)) folded.set(key, [[], wait]);
    folded.get(key)[0].push(wait.rank);
  }
  return [...folded.values()];
}

function hangView(test) {
  if (!test.hang) return null;
  const waits = test.hang.waits;
  return [
    el('h3', {}, 'Who waits for whom'),
    el('p', {}, test.hang.text),
    waits.length > 0 && el('div', { class: 'beside' }, hangPicture(test.hang, test.variant.ranks),
      table('Waits of the ranks', [column('Ranks'), column('Is in'), column('Waits for ranks')],
        foldedWaits(waits).map(([ranks, wait]) => [ranges(ranks), wait.where, ranges(wait.awaited) || 'not known']))),
  ];
}

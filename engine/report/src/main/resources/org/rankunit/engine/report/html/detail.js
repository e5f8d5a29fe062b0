/* Everything about one test, the cause first. */

function causeOf(test) {
  const reason = test.reason;
  if (!reason) return null;
  const end = reason.indexOf('\n');
  const text = end < 0 ? [el('b', {}, reason)] : [el('b', {}, reason.slice(0, end)), reason.slice(end)];
  const look = test.result === 'failed' ? 'cause' : 'cause is-' + test.result + '-box';
  return el('div', { class: look },
    el('pre', { tabindex: 0, role: 'region', 'aria-label': 'Why the test ' + (test.result === 'failed' ? 'failed' : 'was ' + test.result) }, text),
    navigator.clipboard && el('button', { type: 'button', onclick: event => {
      navigator.clipboard.writeText(reason).then(() => { event.target.textContent = 'copied'; }, () => { event.target.textContent = 'not allowed'; });
    } }, 'copy'));
}

function chipsOf(test) {
  const tries = attempts.get(test.uniqueId);
  const other = tries.length > 1 ? [plural(tries.length, 'attempt') + ': ', tries.map((each, i) => [i > 0 && ', ',
    each === test ? el('b', {}, each.attempt + ' ' + each.result) : el('a', { href: '#' + each.id }, each.attempt + ' ' + each.result)])] : null;
  const ran = test.group > 0;
  return el('p', { class: 'chips' },
    el('b', { class: 'is-' + test.result }, el('span', { 'aria-hidden': 'true' }, SIGNS[test.result] + ' '), test.result),
    el('span', {}, plural(test.variant.ranks, 'rank'), test.variant.platform === 'none' ? ', did not run' : ' on ' + test.variant.platform),
    test.devices.length > 0 && el('span', {}, (test.devices.length === 1 ? 'device ' : 'devices ') + deviceList(test)),
    test.nodes.length > 0 && el('span', {}, (test.nodes.length === 1 ? 'rank ' : 'ranks ') + perNode([...test.nodes.keys()], test.nodes).map(([node, some]) => ranges(some) + ' on ' + node).join(', ')),
    ran && el('span', {}, time(test.own), test.took > test.own && ', ' + time(test.took) + ' with its group'),
    ran && el('span', {}, 'group ' + test.group + (report.executions.length > 1 ? ' of execution ' + test.execution : '')),
    other && el('span', {}, other));
}

/** Ranks with the same outcome and message in one row. */
function ranksOf(test) {
  const rows = new Map();
  for (const rank of test.ranks) {
    const key = [rank.outcome, rank.message, rank.failedIn, rank.leftOut].join('\u0000');
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(rank);
  }
  if (test.ranks.length === 0 || (rows.size === 1 && test.result === 'passed' && !test.ranks[0].leftOut)) return null;
  const ordered = [...rows.values()].sort((a, b) => rankOrder(a[0]) - rankOrder(b[0]) || a[0].rank - b[0].rank);
  const onNodes = test.nodes.length > 0;
  return [el('h3', {}, 'Ranks'), table('Outcome of each rank',
    [column('Ranks'), ...(onNodes ? [column('Node')] : []), column('Outcome'), column('In phase'), column('Message')],
    ordered.map(ranks => [ranges(ranks.map(each => each.rank)), ...(onNodes ? [[...new Set(ranks.map(each => each.node))].join(', ')] : []),
      el('span', { class: ['failed', 'died', 'unfinished'].includes(ranks[0].outcome) ? 'is-failed' : ranks[0].outcome === 'passed' ? 'is-passed' : null }, ranks[0].outcome),
      ranks[0].failedIn || '', [firstLine(ranks[0].message), ranks[0].leftOut && el('span', { class: 'dim' }, ' (left out: ' + ranks[0].leftOut + ')')]]))];
}

const rankOrder = rank => ['failed', 'died', 'unfinished', 'released', 'aborted', 'skipped', 'passed', 'not-run'].indexOf(rank.outcome);

function firstLine(text) {
  if (!text) return '';
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end) + ' …';
}

function stacksOf(test) {
  const stacks = new Map();
  for (const rank of test.ranks) {
    if (rank.stack.length === 0) continue;
    const text = rank.stack.join('\n');
    if (!stacks.has(text)) stacks.set(text, []);
    stacks.get(text).push(rank);
  }
  if (stacks.size === 0) return null;
  return [el('h3', {}, 'Stacks'), el('div', { class: 'columns' }, [...stacks].map(([text, ranks]) =>
    box('Stack', 'rank ' + ranges(ranks.map(rank => rank.rank)), ranks[0].message ? firstLine(ranks[0].message) + '\n' + text : text)))];
}

const box = (kind, title, text, aside) => el('figure', {}, el('figcaption', {}, title, aside),
  el('pre', { tabindex: 0, role: 'region', 'aria-label': kind + ' of ' + title }, text));

function busyOf(test) {
  const lanes_ = test.ranks.flatMap(rank => rank.busy.map(use => ({ rank: rank.rank, ...use })));
  if (lanes_.length === 0 && !test.timeline) return null;
  const shown = lanes_.slice(0, 64).map(use => {
    const filled = el('i', {});
    filled.style.width = use.share * 100 + '%';
    return [use.rank, use.lane, [el('span', { class: 'bar', 'aria-hidden': 'true' }, filled), (use.share * 100).toFixed(1) + ' %']];
  });
  return [el('h3', {}, 'Cores and streams', test.timeline && el('span', { class: 'aside' }, ' – ',
    el('a', { href: encodeURI(test.timeline) }, 'timeline'), ', opens in Perfetto')),
  shown.length > 0 && table('Share of the test in which each core and stream was busy', [numbers('Rank'), column('Lane'), column('Busy')], shown),
  lanes_.length > 64 && el('p', { class: 'dim' }, 'and ' + (lanes_.length - 64) + ' more in the timeline')];
}

function roundsOf(test) {
  const rounds = test.rounds;
  return rounds && [el('h3', {}, 'Rounds'), el('p', {}, rounds.text),
    rounds.phases.length > 0 && table('Times of the rounds', [numbers('Rank'), column('Phase'), numbers('Shortest'), numbers('Median'), numbers('99th percentile')],
      rounds.phases.map(each => [each.rank, each.name, time(each.min), time(each.median), time(each.p99)]))];
}

function outputOf(test) {
  if (test.ranks.length === 0) return null;
  const link = rank => el('a', { href: encodeURI(rank.log) }, 'log');
  const printed = test.ranks.filter(rank => rank.output);
  if (printed.length === 0) {
    return [el('h3', {}, 'Logs'), el('p', {}, test.ranks.map((rank, i) => [i > 0 && ' · ', el('a', { href: encodeURI(rank.log) }, 'rank ' + rank.rank)]))];
  }
  const silent = test.ranks.filter(rank => !rank.output);
  return [el('h3', {}, 'What the ranks printed last'),
    el('div', { class: 'columns' }, printed.map(rank => box('Output', 'rank ' + rank.rank, rank.output, [' · ', link(rank)]))),
    silent.length > 0 && el('p', { class: 'dim' }, 'Nothing from: ', silent.map((rank, i) => [i > 0 && ' · ', el('a', { href: encodeURI(rank.log) }, 'rank ' + rank.rank)]))];
}

function phasesOf(test) {
  const names = { goldens: 'golden models', compile: 'compile', waitForDevices: 'wait for devices', bringUp: 'bring up', run: 'run', collectOutputs: 'collect outputs', verify: 'verify', tearDown: 'tear down' };
  const parts = Object.entries(names).filter(([key]) => test.milliseconds[key] > 0);
  return parts.length === 0 ? null : el('p', { class: 'dim' }, parts.map(([key, text], i) => [i > 0 && ' · ', text + ' ' + time(test.milliseconds[key])]));
}

function show(test) {
  const into = byId('detail');
  if (!test) {
    into.replaceChildren(el('p', { class: 'none' }, report.tests.length === 0 ? 'This run has no device tests.' : 'No test is selected.'));
    return;
  }
  const parts = [
    el('h2', {}, test.type && el('span', { class: 'dim' }, breakable(test.type + '.')), breakable(test.short)),
    chipsOf(test), causeOf(test), test.retry && el('p', { class: 'note' }, 'This test was ' + test.retry),
    hangView(test), ranksOf(test), test.result === 'passed' ? null : goldensView(test),
    collectivesOf(test), swimLanes(test), phasesOf(test), roundsOf(test), test.result === 'passed' ? goldensView(test) : null,
    stacksOf(test), outputOf(test), busyOf(test),
    test.group === 0 ? null : el('details', {}, el('summary', {}, 'Unique id'), el('code', {}, test.uniqueId)),
  ];
  into.replaceChildren(...parts.flat(Infinity).filter(part => part));
  into.scrollTop = 0;
}

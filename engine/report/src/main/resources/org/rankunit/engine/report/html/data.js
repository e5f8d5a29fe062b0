/* The report, as PageData has written it: records are lists of their values, texts are numbers of a table. */

const data = JSON.parse(byId('data').textContent);

function decode(kind, value) {
  if (value === null || value === undefined) return kind[0] === '[' ? [] : null;
  if (kind === 's') return data.texts[value];
  if (kind === 'n') return Number(value);
  if (kind === 'b') return value;
  if (kind[0] === '[') {
    const inner = kind.slice(1);
    return value.map(each => decode(inner, each));
  }
  const record = {};
  data.shapes[kind].forEach(([name, inner], i) => { record[name] = decode(inner, value[i]); });
  return record;
}

const VERDICTS = ['failed', 'aborted', 'passed', 'skipped'];
const SIGNS = { failed: '✕', aborted: '!', passed: '✓', skipped: '–' };

const report = decode('RunReport', data.report);
const starts = new Map(report.executions.map(each => [each.number, Date.parse(each.started)]));
const runStart = Math.min(...starts.values());

/** Milliseconds from the start of the run to a moment of one execution. */
const since = (execution, moment) => (starts.get(execution) || runStart) - runStart + moment;

const attempts = new Map();
for (const test of report.tests) {
  if (!attempts.has(test.uniqueId)) attempts.set(test.uniqueId, []);
  attempts.get(test.uniqueId).push(test);
}
report.tests.forEach((test, i) => {
  const dot = test.name.indexOf('.');
  test.id = 't' + (i + 1);
  test.type = dot > 0 && !test.name.slice(0, dot).includes(' ') ? test.name.slice(0, test.name.lastIndexOf('.', (test.name + '(').indexOf('('))) : '';
  test.short = test.type ? test.name.slice(test.type.length + 1) : test.name;
  test.took = Object.values(test.milliseconds).reduce((sum, each) => sum + each, 0);
  test.own = test.milliseconds.run + test.milliseconds.collectOutputs + test.milliseconds.verify;
  test.text = (test.name + '\n' + test.displayName + '\n' + test.variant.platform + '\n' + test.variant.ranks + ' ranks\n' + (test.reason || '')).toLowerCase();
});

/* The list of tests, the views, and the keyboard. */

const orders = {
  verdict: (a, b) => VERDICTS.indexOf(a.result) - VERDICTS.indexOf(b.result),
  slow: (a, b) => b.took - a.took,
  name: (a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : a.variant.ranks - b.variant.ranks,
};
const counts = Object.fromEntries(VERDICTS.map(verdict => [verdict, report.tests.filter(test => test.result === verdict).length]));
const state = { hidden: new Set(), query: '', selected: null, visible: [] };
const rowOf = new Map();

function rowFor(test) {
  const row = el('tr', { id: 'row-' + test.id },
    el('td', { class: 'is-' + test.result }, el('span', { 'aria-hidden': 'true' }, SIGNS[test.result]), el('span', { class: 'unseen' }, test.result)),
    el('td', {}, el('a', { href: '#' + test.id }, breakable(test.short), el('small', {}, test.type || test.displayName, test.attempt > 1 && ' · attempt ' + test.attempt))),
    el('td', { class: 'number' }, test.variant.ranks || ''),
    el('td', { class: 'number dim' }, test.group > 0 ? time(test.took) : ''));
  rowOf.set(test, row);
  return row;
}

function arrange() {
  const words = state.query.toLowerCase().split(/\s+/).filter(word => word);
  const ordered = [...report.tests].sort(orders[byId('order').value]);
  byId('rows').replaceChildren(...ordered.map(test => rowOf.get(test) || rowFor(test)));
  state.visible = ordered.filter(test => {
    const shows = !state.hidden.has(test.result) && words.every(word => test.text.includes(word));
    rowOf.get(test).hidden = !shows;
    return shows;
  });
  byId('shown').textContent = state.visible.length === report.tests.length ? plural(report.tests.length, 'result') : state.visible.length + ' of ' + plural(report.tests.length, 'result');
}

function filters() {
  byId('filters').replaceChildren(...VERDICTS.filter(verdict => counts[verdict] > 0).map(verdict =>
    el('button', { type: 'button', 'aria-pressed': 'true', 'data-verdict': verdict, onclick: event => {
      const now = event.currentTarget.getAttribute('aria-pressed') !== 'true';
      event.currentTarget.setAttribute('aria-pressed', String(now));
      if (now) state.hidden.delete(verdict); else state.hidden.add(verdict);
      arrange();
    } }, el('span', { class: 'is-' + verdict, 'aria-hidden': 'true' }, SIGNS[verdict] + ' '), counts[verdict] + ' ' + verdict)));
}

function select(test) {
  if (state.selected) {
    rowOf.get(state.selected).removeAttribute('aria-current');
    rowOf.get(state.selected).querySelector('a').removeAttribute('aria-current');
  }
  state.selected = test;
  if (test) {
    rowOf.get(test).setAttribute('aria-current', 'true');
    rowOf.get(test).querySelector('a').setAttribute('aria-current', 'true');
    rowOf.get(test).scrollIntoView({ block: 'nearest' });
  }
  show(test);
}

const views = { tests: byId('tests-view'), devices: byId('devices-view'), about: byId('about-view') };
let devicesAreDrawn = false;

/** Shows what the address names: a view, or a test. */
function follow() {
  const name = decodeURIComponent(location.hash.slice(1));
  const view = views[name] ? name : 'tests';
  for (const [each, node] of Object.entries(views)) {
    node.hidden = each !== view;
    if (each === view) byId('to-' + each).setAttribute('aria-current', 'page'); else byId('to-' + each).removeAttribute('aria-current');
  }
  if (view === 'devices' && !devicesAreDrawn) {
    devicesAreDrawn = true;
    views.devices.replaceChildren(...devicesView().flat(Infinity).filter(part => part));
  }
  const test = report.tests.find(each => each.id === name);
  if (test && test !== state.selected) select(test);
}

function move(step) {
  const list = state.visible;
  if (list.length === 0) return;
  const now = list.indexOf(state.selected);
  const next = list[Math.max(0, Math.min(list.length - 1, now < 0 ? 0 : now + step))];
  history.replaceState(null, '', '#' + next.id);
  follow();
  rowOf.get(next).querySelector('a').focus({ preventScroll: true });
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at_ = event.target, typing = at_.matches && at_.matches('input, select, textarea');
  if (event.key === 'Escape' && at_.id === 'search') {
    at_.value = '';
    state.query = '';
    arrange();
    return;
  }
  if (event.key === 'ArrowDown' && at_.id === 'search') {
    event.preventDefault();
    state.selected && state.visible.includes(state.selected) ? move(0) : move(1);
    return;
  }
  if (typing) return;
  const inList = byId('rows').contains(at_);
  const step = event.key === 'j' || (inList && event.key === 'ArrowDown') ? 1 : event.key === 'k' || (inList && event.key === 'ArrowUp') ? -1 : 0;
  if (event.key === '/') {
    event.preventDefault();
    location.hash = state.selected ? state.selected.id : 'tests';
    byId('search').focus();
    byId('search').select();
  } else if (step !== 0 && !views.tests.hidden) {
    event.preventDefault();
    move(step);
  }
}

function about() {
  const key = name => el('kbd', {}, name);
  return [el('h2', {}, 'About this report'),
    el('dl', { class: 'about' },
      el('dt', {}, 'RankUnit'), el('dd', {}, report.version + ', Apache License 2.0'),
      el('dt', {}, 'Java'), el('dd', {}, report.java),
      el('dt', {}, 'Run'), el('dd', {}, el('code', {}, report.run), ', ' + plural(report.executions.length, 'execution') + ' of the engine'),
      el('dt', {}, 'Same as data'), el('dd', {}, el('a', { href: 'report.json' }, 'report.json')),
      el('dt', {}, 'Libraries'), el('dd', {}, 'This page contains no code of others, and loads nothing.'),
      data.leftOut && [el('dt', {}, 'Left out'), el('dd', {}, data.leftOut + ', so that this page can be opened. They are in report.json.')],
      el('dt', {}, 'Keyboard'), el('dd', {}, key('/'), ' search, ', key('Esc'), ' clear it, ', key('j'), ' ', key('k'), ' next and previous test, ', key('Tab'), ' everything else'))];
}

function theme() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = byId('theme');
  let chosen = null;
  try { chosen = localStorage.getItem('rankunit-theme'); } catch (e) { /* not allowed here: follow the system */ }
  const apply = () => {
    const dark = chosen === null ? system.matches : chosen === 'dark';
    document.documentElement.classList.toggle('dark', dark);
    button.textContent = dark ? 'Light' : 'Dark';
    button.setAttribute('aria-label', dark ? 'Use light colours' : 'Use dark colours');
  };
  button.addEventListener('click', () => {
    chosen = document.documentElement.classList.contains('dark') ? 'light' : 'dark';
    try { localStorage.setItem('rankunit-theme', chosen); } catch (e) { /* holds for this page only */ }
    apply();
  });
  system.addEventListener('change', apply);
  apply();
}

function head() {
  const worst = VERDICTS.find(verdict => counts[verdict] > 0);
  byId('summary').append(...(report.tests.length === 0 ? ['no tests'] : VERDICTS.filter(verdict => counts[verdict] > 0).flatMap((verdict, i) =>
    [i > 0 ? ', ' : '', el('span', { class: verdict === 'failed' ? 'is-failed' : null }, counts[verdict] + ' ' + verdict)])));
  document.title = (counts.failed > 0 ? counts.failed + ' failed' : worst ? 'passed' : 'no tests') + ' – RankUnit report';
  const platforms = [...new Set(report.tests.map(test => test.variant.platform))].filter(name => name !== 'none');
  const took = Math.max(0, ...report.executions.map(each => since(each.number, each.milliseconds)));
  byId('facts').append(...[platforms.join(', ') || 'platform ' + report.platform, Number.isFinite(runStart) && new Date(runStart).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
    took > 0 && 'took ' + time(took), 'RankUnit ' + report.version, report.java, data.leftOut && 'shortened, see About'].filter(text => text).map(text => el('span', {}, text)));
  byId('share').append(...VERDICTS.filter(verdict => counts[verdict] > 0).map(verdict => {
    const part = el('div', { class: 'fill-' + verdict });
    part.style.flexGrow = counts[verdict];
    return part;
  }));
}

theme();
head();
filters();
arrange();
byId('search').addEventListener('input', event => { state.query = event.target.value; arrange(); });
byId('order').addEventListener('change', arrange);
byId('about-view').replaceChildren(...about().flat(Infinity).filter(part => part));
byId('skip').addEventListener('click', event => { event.preventDefault(); byId('detail').focus(); });
document.addEventListener('keydown', keys);
addEventListener('hashchange', follow);
select(state.visible[0] || null);
follow();
document.documentElement.dataset.ready = Math.round(performance.now());

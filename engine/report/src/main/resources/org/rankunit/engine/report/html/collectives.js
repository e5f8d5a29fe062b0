/* Collectives that tests ran by schedules, and their pictures. */

const drawings = new Map(data.pictures.map(([algorithm, call, source]) => [algorithm + '\n' + call, source]));

/* What a picture is made of. Anything else that stands in one is left out, so that it cannot become markup of the page. */
const SHAPES = new Set(['svg', 'g', 'title', 'text', 'rect', 'path', 'line', 'polyline', 'circle']);
const PLACES = new Set(['class', 'x', 'y', 'width', 'height', 'd', 'viewBox', 'role', 'aria-label',
  'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'points', 'fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'text-anchor', 'transform']);

function shape(node) {
  if (!SHAPES.has(node.nodeName)) return null;
  const attributes = {};
  for (const each of node.attributes) if (PLACES.has(each.name)) attributes[each.name] = each.value;
  return svg(node.nodeName, attributes, [...node.childNodes].map(child =>
    child.nodeType === Node.TEXT_NODE ? child.data : child.nodeType === Node.ELEMENT_NODE ? shape(child) : null));
}

const drawn = source => shape(new DOMParser().parseFromString(source, 'image/svg+xml').documentElement);

/** The picture of a collective, or why there is none. It is drawn when it is opened. */
function pictureOf(ran, open) {
  const title = ran.algorithm + ', ' + ran.call;
  const source = drawings.get(ran.algorithm + '\n' + ran.call);
  if (ran.noPicture || !source) {
    return el('p', { class: 'dim' }, ran.noPicture || title + ': its picture is not among those that this page has.');
  }
  const area = el('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Picture of ' + title });
  return el('details', { class: 'picture', open, ontoggle: event => {
    if (event.target.open && !area.firstChild) area.append(drawn(source));
  } }, el('summary', {}, title), area);
}

/** What the test measured, in the columns of nccl-tests. */
function measurementsOf(test) {
  const rows = test.collectives.filter(ran => ran.measured);
  const plot = data.plots[report.tests.indexOf(test)];
  return [rows.length > 0 && table('Measured collectives',
    [column('Algorithm'), numbers('Size (B)'), column('Type'), numbers('Time (µs)'), numbers('algbw (GB/s)'), numbers('busbw (GB/s)'), numbers('#wrong')],
    rows.map(({ algorithm, measured }) => [breakable(algorithm), measured.bytes, measured.type, measured.micros.toFixed(2),
      measured.algbw.toFixed(3), measured.busbw.toFixed(3), measured.wrong < 0 ? 'not checked' : measured.wrong])),
  plot && el('div', { class: 'wide plot', tabindex: 0, role: 'region', 'aria-label': 'Bus bandwidth over size' }, drawn(plot)),
  test.bandwidth && el('p', { class: 'dim' }, test.bandwidth)];
}

function collectivesOf(test) {
  if (test.collectives.length === 0) return test.bandwidth && el('p', { class: 'dim' }, test.bandwidth);
  const seen = new Set();
  const once = test.collectives.filter(ran => !seen.has(ran.algorithm + '\n' + ran.call) && seen.add(ran.algorithm + '\n' + ran.call));
  const first = once.find(ran => !ran.noPicture && drawings.has(ran.algorithm + '\n' + ran.call));
  const tagged = test.collectives.some(ran => ran.tag);
  return [el('h3', {}, 'Collectives'),
    table('Collectives that the test ran by schedules',
      [column('Algorithm'), column('Call'), ...(tagged ? [column('Tag')] : []), numbers('Runs'), numbers('Tasks')],
      test.collectives.map(ran => [breakable(ran.algorithm), ran.call, ...(tagged ? [ran.tag] : []), ran.runs, ran.tasks])),
    measurementsOf(test),
    once.map(ran => pictureOf(ran, ran === first))];
}

'use strict';
/* Small helpers: elements, SVG, and how numbers are written. Nothing here makes HTML from text. */

const SVG = 'http://www.w3.org/2000/svg';

/** Fills an element: attributes by name (on… are listeners), then children: elements, texts, or null for nothing. */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
const byId = id => document.getElementById(id);

function table(title, heads, rows) {
  const cell = (name, value, head) => el(name, { class: head.number ? 'number' : null, scope: name === 'th' ? 'col' : null },
    value instanceof Array ? value : [value]);
  return el('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': title },
    el('table', { class: 'grid' },
      el('caption', { class: 'unseen' }, title),
      el('thead', {}, el('tr', {}, heads.map(head => cell('th', head.text, head)))),
      el('tbody', {}, rows.map(row => el('tr', {}, row.map((value, i) => cell('td', value, heads[i])))))));
}

const column = text => ({ text });
const numbers = text => ({ text, number: true });

/** A duration in milliseconds, for people. */
function time(ms) {
  if (ms === null || ms === undefined) return '';
  if (ms >= 60000) return Math.floor(ms / 60000) + ' min ' + Math.round(ms % 60000 / 1000) + ' s';
  if (ms >= 1000) return (ms / 1000).toFixed(ms < 10000 ? 2 : 1) + ' s';
  if (ms >= 100) return Math.round(ms) + ' ms';
  if (ms >= 1) return ms.toFixed(1) + ' ms';
  return ms === 0 ? '0' : Math.max(1, Math.round(ms * 1000)) + ' µs';
}

function number(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'infinite' : '-infinite';
  const size = Math.abs(value);
  return value === 0 ? '0' : size >= 1e7 || size < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(6)));
}

/** A name that may be wrapped between its words. */
const breakable = name => name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[._])/).flatMap((part, i) => i > 0 ? [el('wbr', {}), part] : [part]);

const plural = (count, word) => count + ' ' + word + (count === 1 ? '' : 's');

/** Names in the order in which people count: node9 before node10. */
const byName = (a, b) => a.localeCompare(b, 'en', { numeric: true }) || (a < b ? -1 : a > b ? 1 : 0);

/** Pairs of a node and the numbers on it in ascending order, in the order in which the list of nodes has them; '' is the machine of the run. */
function perNode(list, nodes) {
  const all = new Map();
  list.forEach((each, i) => {
    const node = nodes[i] || '';
    if (!all.has(node)) all.set(node, []);
    all.get(node).push(each);
  });
  return [...all].map(([node, some]) => [node, some.sort((a, b) => a - b)]);
}

/** The devices of a test or a group: "0-3", or on nodes "0-3 of node1, 0-1 of node2". */
const deviceList = ({ devices, nodes }) => perNode(devices, nodes).map(([node, some]) => ranges(some) + (node && ' of ' + node)).join(', ');

/** 0, 1, 2, 5 as "0-2, 5". */
function ranges(list) {
  const parts = [];
  for (let i = 0; i < list.length; i++) {
    const first = list[i];
    while (i + 1 < list.length && list[i + 1] === list[i] + 1) i++;
    parts.push(first === list[i] ? first : first + '-' + list[i]);
  }
  return parts.join(', ');
}

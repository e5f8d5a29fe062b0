/* Who held which device when, over all executions of the run. */

function deviceRows() {
  const rows = new Map();
  for (const execution of report.executions) {
    const moment = value => since(execution.number, value === null ? execution.milliseconds : value);
    for (const group of execution.groups) {
      group.devices.forEach((device, i) => {
        const node = group.nodes[i] || '', key = [group.platform, node, device].join('\n');
        if (!rows.has(key)) rows.set(key, { platform: group.platform, node, device, held: [] });
        rows.get(key).held.push({ group, execution, from: moment(group.leased), up: group.up === null ? null : moment(group.up), to: moment(group.released),
          uses: group.uses.map(use => ({ name: use.className, from: moment(use.start), to: moment(use.end) })) });
      });
    }
  }
  return [...rows.values()].sort((a, b) => a.platform < b.platform ? -1 : a.platform > b.platform ? 1 : byName(a.node, b.node) || a.device - b.device);
}

function occupancy(rows, end) {
  return lanes(el('div', {}), 'Devices', width => {
    const names = rows.map(row => row.platform + ' ' + row.device + (row.node && ' of ' + row.node));
    const left = rows.some(row => row.node) ? Math.min(width / 3, Math.max(...names.map(name => name.length)) * 7 + 8) : 92;
    const right = 150, height = 20, inside = Math.max(60, width - left - right), parts = [];
    axis(parts, left, inside, rows.length * height, 0, end);
    rows.forEach((row, i) => {
      const y = i * height + 3, x = value => left + value / end * inside;
      parts.push(svg('text', { x: 0, y: y + 11 }, names[i]));
      for (const held of row.held) {
        parts.push(svg('rect', { class: 'p-held', x: x(held.from), y, width: Math.max(1, x(held.to) - x(held.from)), height: 14 },
          svg('title', {}, 'group ' + held.group.number + ', held for ' + time(held.to - held.from))));
        if (held.up !== null) {
          parts.push(svg('rect', { class: 'p-bring-up', x: x(held.from), y, width: Math.max(1, x(held.up) - x(held.from)), height: 14 }, svg('title', {}, 'bring up: ' + time(held.up - held.from))));
        } else {
          parts.push(svg('rect', { class: 'p-unknown', x: x(held.from), y, width: Math.max(1, x(held.to) - x(held.from)), height: 14 }, svg('title', {}, 'was not brought up: ' + time(held.to - held.from))));
        }
        for (const use of held.uses) {
          const wide = x(use.to) - x(use.from), name = use.name.slice(use.name.lastIndexOf('.') + 1);
          parts.push(svg('rect', { class: 'p-run', x: x(use.from), y, width: Math.max(1, wide), height: 14 }, svg('title', {}, use.name + ': ' + time(use.to - use.from))));
          if (wide > name.length * 6.5 + 8) parts.push(svg('text', { class: 'inside', x: x(use.from) + 4, y: y + 11 }, name));
        }
      }
      const sum = list => list.reduce((total, each) => total + each.to - each.from, 0);
      const percent = value => Math.round(value / end * 100) + ' %';
      parts.push(svg('text', { class: 'dim', x: left + inside + 8, y: y + 11 }, 'held ' + percent(sum(row.held)) + ', used ' + percent(sum(row.held.flatMap(held => held.uses)))));
    });
    return svg('svg', { class: 'chart', width, height: rows.length * height + 20, role: 'img', 'aria-label': 'Which device was held and used when; the table below has the numbers' }, parts);
  });
}

function devicesView() {
  const rows = deviceRows();
  const groups = report.executions.flatMap(execution => execution.groups.map(group => ({ execution, group })));
  const refusals = report.executions.flatMap(execution => execution.refusals.map(refusal => ({ execution, refusal })));
  const end = Math.max(1, ...report.executions.map(each => since(each.number, each.milliseconds)));
  const several = report.executions.length > 1;
  const tail = value => value === null ? 'until the end' : time(value);
  return [
    el('h2', {}, 'Devices'),
    refusals.length > 0 && [el('h3', {}, 'Got no devices'), table('Tests that got no devices', [column('Class'), numbers('Ranks'), numbers('Waited'), column('Why')],
      refusals.map(({ refusal }) => [refusal.className, refusal.ranks, time(refusal.end - refusal.asked), refusal.reason]))],
    rows.length === 0 ? el('p', { class: 'none' }, 'No test of this run held a device.') : [
      el('h3', {}, 'Who held which device when'),
      occupancy(rows, end),
      legend([['p-bring-up', 'bring up'], ['p-run', 'tests of a class'], ['p-held', 'held, but idle or ending'], ['p-unknown', 'did not come up']]),
      el('h3', {}, 'Groups of ranks'),
      table('Groups of ranks', [numbers('Group'), column('Made for'), column('Devices'), numbers('Asked at'), numbers('Waited'), numbers('Up after'), numbers('Released at'), numbers('Classes')],
        groups.map(({ execution, group }) => [(several ? execution.number + '.' : '') + group.number, group.className, group.platform + ' ' + deviceList(group),
          time(since(execution.number, group.asked)), time(group.leased - group.asked), group.up === null ? 'never' : time(group.up - group.leased),
          group.released === null ? tail(null) : time(since(execution.number, group.released)), new Set(group.uses.map(use => use.className)).size]))],
  ];
}

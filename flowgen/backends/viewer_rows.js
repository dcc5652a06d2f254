// The rows of the swim lane: what stands below each other, and how one of them looks while it is closed.

const KEYS = {step: row => `step-${row.step}`, message: row => `m-${row.n ?? `s${row.seq}`}`};
const lanes = () => data.lanes;
let pitch = 150;            // px from lane to lane
const middle = lane => (lane + 0.5) * pitch;
const lanesWide = () => lanes().length * pitch;

/** All messages by their number in the recording, and the list of them; built anew when the data is. */
let bySeq = new Map(), all = [], span = null;
const open = new Set();     // keys of rows that are open
const unfolded = new Set(); // keys of runs

function indexed() {
  all = data.rows.flatMap(row => (row.row === 'run' ? row.rows : row.row === 'message' ? [row] : []));
  bySeq = new Map(all.map(row => [row.seq, row]));
  const times = all.map(row => row.message.at).filter(at => at !== undefined);
  span = times.length ? [times[0], Math.max(times.reduce((most, at) => Math.max(most, at), 0), times[0] + 1e-6)] : null;
  let step = null, depth = 0, run = 0;
  for (const row of data.rows) {
    if (row.row === 'step') step = row.step;
    if (row.row === 'close') depth -= 1;
    row.depth = row.row === 'else' ? depth - 1 : depth;
    if (row.row === 'open') depth += 1;
    row.key = KEYS[row.row] ? KEYS[row.row](row) : row.row === 'run' ? `run-${row.rows[0].seq}` : `r-${run += 1}`;
    for (const inner of row.rows || []) Object.assign(inner, {key: KEYS.message(inner), depth, step, run: row.key});
    row.step = step;
  }
  waits();
}

/** Marks on every message the lanes whose owner owes an answer: before it (`waits`) and after it (`after`). */
function waits() {
  const busy = new Map(), ends = new Map(), seqs = all.map(row => row.seq).sort((one, other) => one - other);
  for (const row of all) {
    Object.assign(row, {waits: [...busy.keys()], begins: undefined, ends: undefined});
    for (const lane of ends.get(row.seq) || []) free(busy, lane, row);
    const end = row.until = shownEnd(row.stream_end ?? row.answer ?? row.ended_by, seqs), lane = laneOf(row.message.receiver);
    if (row.state && !(end <= row.seq)) {
      busy.set(lane, (busy.get(lane) || 0) + 1);
      row.begins = lane;
      if (end !== undefined) ends.set(end, [...(ends.get(end) || []), lane]);
    }
    row.after = [...busy.keys()];
  }
  let now = [];
  for (const row of data.rows) {
    const within = row.row === 'run' ? row.rows : [row];
    if (row.row !== 'message') row.waits = row.row === 'run' ? within[0].waits : now;
    now = within[within.length - 1].after || now;
  }
}

/** The message that ended a wait; where it is not shown, the last one before it that is. */
function shownEnd(seq, seqs) {
  if (seq === undefined) return seq;
  const last = seqs[under(seqs, seq)];
  return last <= seq ? last : 0;
}

function free(busy, lane, row) {
  const left = (busy.get(lane) || 0) - 1;
  if (left > 0) busy.set(lane, left);
  else if (busy.delete(lane)) row.ends = lane;
}

/** What a table of the page has under a name that a stranger chose. */
const own = (table, name) => (Object.hasOwn(table, name) ? table[name] : undefined);
const laneOf = id => own(data.lane_of, id) ?? 0;
const nameFor = id => say(own(data.names, id));
const fromTo = row => [laneOf(row.message.sender), laneOf(row.message.receiver)];
const passes = row => !['stderr', 'process'].includes(row.message.kind) && fromTo(row)[0] !== fromTo(row)[1];

/** What is to be shown: everything, or what the search finds; folded runs as one row. */
function visible(found) {
  const rows = [];
  for (const row of data.rows) {
    if (row.row === 'run') {
      const shown = found ? row.rows.filter(inner => found.has(inner)) : unfolded.has(row.key) ? row.rows : [];
      if (!found) rows.push(row);
      rows.push(...shown);
    } else if (row.row === 'message' ? !found || found.has(row) : !found || row.row === 'step') rows.push(row);
  }
  return found ? rows.filter((row, at) => row.row !== 'step' || (rows[at + 1] && rows[at + 1].row !== 'step')) : rows;
}

/** The element of a row. */
function rowNode(row, place) {
  const node = BUILD[row.row](row);
  if (row.row !== 'message') node.prepend(...bars(row));
  node.id = row.key;
  node.setAttribute('role', 'listitem');
  node.setAttribute('aria-setsize', place.of);
  node.setAttribute('aria-posinset', place.at + 1);
  node.style.setProperty('--deep', `${row.depth * 5}px`);
  for (let depth = 0; depth < row.depth; depth += 1) {
    const rail = el('i', 'rail');
    rail.style.inset = `0 ${2 + depth * 5}px`;
    node.append(rail);
  }
  return node;
}

const BUILD = {
  step: row => el('div', 'row step', el('h2', '', el('span', 'number', String(row.step)), el('span', '', say(row.title)))),
  open: row => groupNode(row, 'opens'),
  else: row => groupNode(row, 'parts'),
  close: () => el('div', 'row closes'),
  remark: row => {
    const box = el('p', '', say(row.text));
    box.style.marginLeft = `${Math.min(...row.over) * pitch + 6}px`;
    return el('div', 'row remark', box);
  },
  run: runNode,
  message: messageNode,
};

const groupNode = (row, kind) =>
  el('div', `row group ${kind}`, el('span', 'operator', say(row.word)), row.text && el('span', 'condition', say(row.text)));

function runNode(row) {
  const shown = unfolded.has(row.key);
  const act = () => unfold(row.key);
  const words = el('span', 'title', say(row.title));
  const total = row.rows.reduce((sum, inner) => sum + (inner.count || 1), 0);
  const press = el('button', {type: 'button', class: 'head', 'aria-expanded': String(shown), click: act},
    el('span', 'pill', w('view.run', {n: total})), words, el('span', 'chip', w(shown ? 'view.fold' : 'view.unfold')));
  const line = el('div', 'line', press);
  line.style.marginLeft = `${lanesWide()}px`;
  return el('div', 'row run', dots(row), line);
}

/** Three dotted lines between the lanes of a folded run. */
function dots(row) {
  const [from, to] = fromTo(row.rows[0]);
  const lines = [0, 1, 2].map(n => shape('line', {x1: middle(from), x2: middle(to), y1: 16 + n * 6, y2: 16 + n * 6,
    class: `ink ${n < 2 ? 'req' : 'res'}`, 'stroke-dasharray': '3 4'}));
  return flightBox(lines);
}

const flightBox = shapes =>
  shape('svg', {class: 'flight', width: lanesWide(), height: 44, 'aria-hidden': 'true', focusable: 'false'}, ...shapes);

function messageNode(row) {
  const kind = row.failed ? 'err' : row.kind;
  const node = el('div', `row message ${row.kind}`, ...bars(row), flightBox(flight(row)), disc(row));
  const press = el('button', {type: 'button', class: 'head', 'aria-expanded': String(open.has(row.key)),
    tabindex: '-1', click: () => toggle(row.key)},
    el('span', 'away', `${way(row)}: `), el('span', `pill ${kind}`, pill(row)), el('span', 'title', say(row.title), nameOf(row)));
  const line = el('div', 'line', press, el('span', 'chips', chips(row)), ...times(row));
  line.style.marginLeft = `${lanesWide()}px`;
  node.append(line);
  if (open.has(row.key)) node.append(panel(row));
  return node;
}

/** The tool, prompt or resource that it is about, where the title does not tell. */
function nameOf(row) {
  const name = cut(clean(row.name || toolOf(row)), 120);
  return name && !say(row.title).includes(name) ? el('i', '', ` ${name}`) : '';
}

const pill = row => say(row.word) || w(`pill.${row.message.kind}`);
const way = row => (passes(row)
  ? w('view.to', {sender: nameFor(row.message.sender), receiver: nameFor(row.message.receiver)})
  : nameFor(row.message.sender));

function disc(row) {
  if (row.n === undefined) return '';
  const link = el('a', {class: `disc ${row.kind}`, href: `#m-${row.n}`, tabindex: '-1',
    'aria-label': w('view.link', {n: row.n})}, String(row.n));
  link.style.left = `${middle(fromTo(row)[0])}px`;
  return link;
}

/** The bars of who has been asked and owes an answer, through the whole row. */
function bars(row) {
  const bar = (lane, kind) => {
    const node = el('i', `wait ${kind} role-${lanes()[lane].role}`);
    node.style.left = `${middle(lane) - 4}px`;
    return node;
  };
  const on = row.waits.filter(lane => lane !== row.ends).map(lane => bar(lane, ''));
  if (row.ends !== undefined) on.push(bar(row.ends, 'ends'));
  if (row.begins !== undefined && !row.waits.includes(row.begins)) on.push(bar(row.begins, 'begins'));
  return on;
}

/** The arrow: line, head and dash tell the kind, as in the picture. */
function flight(row) {
  const y = 22, [from, to] = fromTo(row), kind = row.kind;
  if (!passes(row)) return loop(row, middle(from), y);
  const ahead = to > from ? 1 : -1, end = middle(to) - 5 * ahead;
  const dash = kind === 'ntf' ? '9 6' : kind === 'warn' ? '1 5' : kind === 'loc' ? '2 5' : '';
  const thick = row.message.kind === 'http' ? 1.4 : 2.5;
  const line = shape('line', {x1: middle(from), y1: y, x2: kind === 'warn' ? end - 19 * ahead : end - 8 * ahead, y2: y,
    class: `ink ${kind}`, 'stroke-width': thick, 'stroke-dasharray': dash});
  return [line, tip(kind, end, y, ahead), ...word(row, from, ahead, y)];
}

function tip(kind, x, y, ahead) {
  if (kind === 'warn') {
    const at = x - 19 * ahead;
    return shape('path', {d: `M${at - 4.5} ${y - 4.5}l9 9m0 -9l-9 9`, class: 'ink warn', 'stroke-width': 2.4});
  }
  if (kind === 'ntf') {
    return shape('path', {d: `M${x - 11 * ahead} ${y - 7}L${x} ${y}L${x - 11 * ahead} ${y + 7}`, class: 'ink ntf tip'});
  }
  const hollow = kind === 'res' || kind === 'err' ? ' hollow' : '';
  return shape('path', {d: `M${x - 12 * ahead} ${y - 6.5}L${x} ${y}L${x - 12 * ahead} ${y + 6.5}Z`,
    class: `ink head ${kind}${hollow}`});
}

/** The shortest true word over an arrow, where there is room for it. */
function word(row, from, ahead, y) {
  const status = row.message.http && row.message.http.status;
  const text = row.message.kind === 'http' && status ? String(status) : ['req', 'ntf'].includes(row.kind) ? row.method || '' : '';
  const room = Math.floor((pitch - 44) / 6.4);
  if (!text || room < 6) return [];
  const fits = clean(text).split('/').pop();
  const shown = clean(text).length <= room ? clean(text) : fits.length <= room ? fits : `${fits.slice(0, room - 1)}…`;
  const x = middle(from) + 17 * ahead;
  return [shape('text', {x, y: y - 6, class: `on ${row.kind}`, 'text-anchor': ahead > 0 ? 'start' : 'end'}, shown)];
}

/** What does not pass: three dots for stderr, a bar for the end of a process, a loop for a local step. */
function loop(row, x, y) {
  const kind = row.message.kind;
  if (kind === 'stderr') return [10, 15.5, 21].map(dx => shape('circle', {cx: x + dx, cy: y, r: 1.8, class: 'fill loc'}));
  if (kind === 'process') return [shape('rect', {x: x - 12, y: y - 2, width: 24, height: 4, rx: 1.5, class: `fill ${row.failed ? 'err' : 'loc'}`})];
  if (kind === 'noise') return [shape('circle', {cx: x, cy: y, r: 5, class: 'fill warn'})];
  return [shape('path', {d: `M${x + 9} ${y - 8}h12q8 0 8 8v2q0 8 -8 8h-12m6 -5l-6 5l6 5`, class: 'ink loc'})];
}

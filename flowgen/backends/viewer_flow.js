// The swim lane as a page: lanes, the list of rows, what is chosen, and where the address leads.

let list = null, query = '', chosen = null, target = null;

const narrow = () => innerWidth < 760;

/** The lanes are as wide as there is room beside the messages. */
function sized() {
  const n = lanes().length, width = document.documentElement.clientWidth;
  const usual = [190, 190, 190, 160, 140, 126, 116][n] || 110;
  pitch = Math.round(Math.max(narrow() ? 24 : 60, Math.min(usual, width * (narrow() ? 0.26 : 0.42) / n)));
}

function built() {
  sized();
  const page = document.getElementById('page');
  const held = document.activeElement.id;
  if (list) list.end();
  page.querySelectorAll('.app').forEach(node => node.remove());
  const rows = el('div', {class: 'rows', role: 'list', 'aria-label': w('view.messages')});
  const backs = lanes().map(stripe);
  const stick = el('div', 'stick', laneHeads(), playBar());
  page.prepend(el('div', 'app', toolBar(), watchLine(), verdict(), stick,
    el('div', 'lanes', backs, rows), el('p', {class: 'nothing', hidden: true}), helpBox()));
  list = new List(rows, () => stick.getBoundingClientRect().height);
  root.style.setProperty('--stick', `${stick.offsetHeight}px`);
  search(query);
  if (playing()) playTo(play.at);
  if (held) (document.getElementById(held) || document.body).focus({preventScroll: true});
}

/** What is behind the rows of a lane: its tint and its lifeline. */
function stripe(lane, at) {
  const node = el('i', `stripe role-${lane.role}`);
  node.style.left = `${at * pitch + 2}px`;
  node.style.width = `${pitch - 4}px`;
  return node;
}

function laneHeads() {
  const head = lane => {
    const name = say(lane.name), long = [...name].reduce((px, sign) => px + (sign > '\u2e80' ? 14.5 : 8.6), 18) > pitch;
    const shown = pitch < 60 ? name.replace(/^MCP /, '').slice(0, 1) : long ? say(lane.short) : name;
    const node = el('div', {class: `lane role-${lane.role}`, role: 'img', 'aria-label': `${name} ${say(lane.second)}`.trim(),
      title: `${name}\n${say(lane.second)}`}, el('b', '', shown), pitch < 60 ? '' : el('small', '', say(lane.second)));
    node.style.width = `${pitch - 4}px`;
    return node;
  };
  const ends = span ? w('view.fall', {from: '0', to: duration(span[1] - span[0])}) : '';
  const columns = span ? [el('span', 'at', w('view.at')), el('span', 'took', w('view.took')), el('span', 'fall', ends)] : [];
  return el('div', 'heads', lanes().map(head), el('div', 'line', el('span', 'head', w('view.messages')), columns));
}

function verdict() {
  if (!data.breaches) return '';
  const line = each => {
    const row = bySeq.get(each.seq);
    const told = [el('b', '', `!${each.number} `), seen(each.text)];
    return el('li', `breach ${each.level}`, row && row.n !== undefined ? el('a', {href: `#m-${row.n}`}, told) : told);
  };
  return el('details', {class: 'verdict', open: data.breaches.length > 0 && data.breaches.length < 8},
    el('summary', '', say(data.verdict)), el('ul', '', data.breaches.map(line)));
}

/** Classes that tell what is chosen, what belongs to it, and in a playing what has not come yet. */
function decorated(over) {
  if (!list) return;
  const row = bySeq.get(seqOf(over || chosen));
  const pair = row ? [row.answer, row.request].map(seq => bySeq.get(seq)).filter(Boolean).map(each => each.key) : [];
  const now = playing() ? list.at.get(chosen) : Infinity;
  list.nodes.forEach((node, key) => {
    node.classList.toggle('chosen', key === chosen);
    node.classList.toggle('pair', pair.includes(key) || (pair.length > 0 && key === row.key));
    node.classList.toggle('target', key === target);
    node.classList.toggle('future', list.at.get(key) > now);
    const press = node.querySelector('button.head');
    if (press && node.classList.contains('message')) press.tabIndex = key === (chosen ?? firstKey()) ? 0 : -1;
  });
}

const firstKey = () => (list.rows.find(row => row.row === 'message') || {}).key;
const seqOf = key => (key === null ? undefined : (list.rows[list.at.get(key)] || {}).seq);

function choose(key, focus = false) {
  chosen = key;
  list.show(key);
  decorated();
  const node = list.nodes.get(key);
  if (focus && node) (node.querySelector('button.head') || node).focus({preventScroll: true});
}

function toggle(key) {
  open.has(key) ? open.delete(key) : open.add(key);
  chosen = key;
  list.renew(key);
  decorated();
}

function openAll(on) {
  open.clear();
  if (on) all.forEach(row => open.add(row.key));
  list.heights.clear();
  list.fresh();
}

function unfold(key) {
  unfolded.has(key) ? unfolded.delete(key) : unfolded.add(key);
  list.heights.delete(key);
  list.set(visible(find(query)));
}

function search(text) {
  query = text;
  const found = find(text), rows = visible(found);
  list.set(rows);
  const said = found ? w('view.found', {n: found.size, of: all.length}) : '';
  document.getElementById('found').textContent = said;
  const nothing = document.querySelector('.nothing');
  nothing.hidden = !found || found.size > 0;
  nothing.textContent = w('view.nothing');
}

/** Where the address leads: a step, or a message, which is opened. */
function arrived() {
  const key = location.hash.slice(1);
  const row = all.find(each => each.key === key);
  if (row && row.run && !query) unfolded.add(row.run);
  if (row ? !list.at.has(key) : query) {
    document.getElementById('search').value = '';
    search('');
  }
  if (!list.at.has(key)) return;
  target = key;
  if (row) {
    open.add(key);
    list.renew(key);
  }
  chosen = row ? key : chosen;
  list.show(key, true);
  decorated();
}

/** A step of the keyboard through the messages. */
function walk(by, fits = row => row.row === 'message' || row.row === 'run') {
  const from = chosen === null || !list.at.has(chosen) ? (by > 0 ? -1 : list.rows.length) : list.at.get(chosen);
  for (let at = from + by; at >= 0 && at < list.rows.length; at += by) {
    if (fits(list.rows[at])) return choose(list.rows[at].key, true);
  }
}

/** The step before or after the one on the screen; its band comes to the top. */
function walkStep(by) {
  const steps = list.rows.filter(row => row.row === 'step');
  const now = (list.rows[list.at.get(chosen)] || {}).step ?? null;
  const at = steps.findIndex(row => row.step === now);
  const next = steps[at < 0 ? (by > 0 ? 0 : -1) : at + by];
  if (!next) return;
  const first = list.rows.slice(list.at.get(next.key)).find(row => row.row === 'message' || row.row === 'run') || next;
  chosen = first.key;
  list.show(next.key, true);
  choose(first.key, true);
}

function walkPair() {
  const row = bySeq.get(seqOf(chosen)), other = row && bySeq.get(row.answer ?? row.request);
  if (!other) return;
  if (other.run && !list.at.has(other.key)) unfold(other.run);
  choose(other.key, true);
}

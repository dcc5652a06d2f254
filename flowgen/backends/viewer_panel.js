// What a message opens: its JSON as it was written, HTTP head, notes, what was noticed, what it belongs to.

function panel(row) {
  const parts = [facts(row), breachList(row), notesOf(row), problemsOf(row), headOf(row), eventOf(row), payload(row)];
  const node = el('div', 'panel', parts.filter(Boolean));
  node.style.marginLeft = `${narrow() ? 8 : lanesWide()}px`;
  return node;
}

const section = (title, ...inside) => el('div', 'part', el('h3', '', title), ...inside);

/** Links to what the message belongs to, and the button that copies it. */
function facts(row) {
  const press = button(w('view.copy'), () => copy(written(row) || asWritten(row), press), {class: 'small'});
  const links = [
    row.answer !== undefined && linkTo(w('view.answer'), bySeq.get(row.answer)),
    row.request !== undefined && linkTo(w('view.request'), bySeq.get(row.request)),
    row.request === undefined && row.about !== undefined && linkTo(w('view.about'), bySeq.get(row.about)),
  ];
  const said = [
    row.same_as !== undefined && el('a', {href: `#m-${row.same_as}`}, w('view.same', {n: row.same_as})),
    row.back_to !== undefined && el('a', {href: `#step-${row.back_to}`}, w('view.back', {n: row.back_to})),
  ];
  return el('p', 'facts', press, el('span', 'way', way(row)), [...links, ...said].filter(Boolean));
}

const linkTo = (word, other) =>
  other && other.n !== undefined && el('a', {href: `#m-${other.n}`}, `${word} ${other.n}`);

const breachesOf = row => (data.breaches || []).filter(each => each.seq === row.seq);

function breachList(row) {
  const found = breachesOf(row);
  const line = each => el('li', `breach ${each.level}`, el('b', '', `!${each.number} `), seen(each.text),
    el('small', '', seen(each.rule)));
  return found.length ? section(w('view.rules'), el('ul', '', found.map(line))) : '';
}

const notesOf = row => row.notes && section(w('view.notes'),
  el('dl', '', row.notes.flatMap(([term, text]) => [el('dt', '', say(term)), el('dd', '', say(text))])));

function problemsOf(row) {
  const found = row.message.problems || [];
  const line = each => el('li', '', el('b', '', seen(each.code)), ' ', seen(each.message || ''));
  return found.length ? section(w('view.problems'), el('ul', '', found.map(line))) : '';
}

function headOf(row) {
  const http = row.message.http;
  if (!http) return '';
  const first = http.status !== undefined ? String(http.status) : `${http.method || ''} ${http.url || ''}`.trim();
  const lines = (http.headers || []).flatMap(([name, value]) =>
    ['\n', el('span', 'j-key', seen(name)), el('span', 'j-punct', ': '), el('span', 'j-string', seen(value))]);
  const box = el('pre', {tabindex: '0', role: 'group', 'aria-label': w('view.head')},
    el('code', '', el('span', 'j-hot', seen(first)), lines));
  return section(w('view.head'), box);
}

function eventOf(row) {
  const known = Object.entries(row.message.sse || {});
  return known.length ? section(w('view.event'), el('p', '', seen(known.map(pair => pair.join(': ')).join(' · ')))) : '';
}

/** The bytes of the message where they are known, else the JSON that was kept of it. */
function written(row) {
  const {raw, raw_encoding: bytes, text} = row.message;
  return raw !== undefined && !bytes ? raw : row.body !== undefined ? row.body : text ?? raw ?? '';
}

function payload(row) {
  const text = written(row);
  if (!text) return '';
  const {raw, raw_encoding: bytes, encoding} = row.message;
  const base64 = encoding === 'base64' || (bytes && row.body === undefined);
  const name = base64 ? w('view.base64') : row.body !== undefined ? w('view.json') : w('view.text');
  const remark = raw !== undefined && text === raw && !base64 ? el('p', 'remark', w('view.raw')) : '';
  return section(name, remark, jsonBox(text, `${name} ${row.n ?? ''}`.trim()));
}

/** A message as a trace holds it; the body is put in as text, for numbers may be larger than a browser can count. */
function asWritten(row) {
  const head = JSON.stringify(row.message);
  return row.body === undefined ? head : `${head.slice(0, -1)},"body":${row.body}}`;
}

/** The whole recording as a trace. */
const asTrace = () =>
  `${JSON.stringify(data.trace).slice(0, -1)},"messages":[\n${all.map(asWritten).join(',\n')}\n]}\n`;

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const chip = (text, kind) => el('span', `chip ${kind || ''}`, text);

/** The facts beside the title. */
function chips(row) {
  const body = row.message.kind === 'note' || row.message.kind === 'process' ? undefined : idOf(row);
  const codes = (row.message.problems || []).map(each => each.code).filter(each => each !== 'unanswered');
  return [
    ...breachesOf(row).slice(0, 4).map(each => chip(`!${each.number}`, each.level)),
    ...codes.slice(0, 2).map(each => chip(cut(clean(each), 24), 'warning')),
    codes.length > 2 && chip(`+${codes.length - 2}`, 'warning'),
    row.state === 'unanswered' && (waiting(row) ? chip(w('legend.wait')) : chip(w('chip.no-answer'), 'warning')),
    row.state === 'cancelled' && chip(w('chip.cancelled'), 'warning'),
    ['open', 'closed'].includes(row.state) && chip(w(`chip.${row.state}`)),
    row.retry_of !== undefined && chip(w('view.retry', {n: (bySeq.get(row.retry_of) || {}).n ?? '…'})),
    row.count > 1 && chip(`×${count(row.count)}`),
    body === undefined ? '' : body === null ? chip(w('chip.no-id'), 'none') : chip(`id ${cut(body, 24)}`),
  ].filter(Boolean);
}

/** Whether an answer may still come: the recording goes on, and nobody has said that none came. */
const waiting = row => data.watch && !(row.message.problems || []).some(each => each.code === 'unanswered');

/** The id as it was written; null where there is none, undefined where none can be. */
function idOf(row) {
  if (!['request', 'response', 'error', 'notification'].includes(row.message.kind)) return undefined;
  if (row.id === undefined) row.id = topLevelId(row.body || '');
  return row.id;
}

function topLevelId(body) {
  try {
    const found = JSON.parse(body);
    if (found === null || typeof found !== 'object' || !('id' in found)) return null;
    const text = typeof found.id === 'number' ? /"id":(-?[\d.eE+]+)/.exec(body) : null;
    return clean(text && Number(text[1]) === found.id ? text[1] : JSON.stringify(found.id));
  } catch {
    return null;
  }
}

/** When it came, how long it took, and where in the whole that was. */
function times(row) {
  if (!span) return [];
  const at = row.message.at;
  const seconds = at === undefined ? '' : at < 10 ? at.toFixed(3) : at.toFixed(2);
  const took = row.latency === undefined ? '' : duration(row.latency);
  return [el('span', 'at', seconds), el('span', 'took', took), el('span', 'fall', bar(row, at))];
}

function bar(row, at) {
  if (at === undefined) return '';
  const place = time => (time - span[0]) / (span[1] - span[0]) * 100;
  const last = bySeq.get(row.until);
  const until = last && last.message.at !== undefined ? last.message.at : row.state === 'open' ? span[1] : at;
  const node = el('i', `bar ${row.kind}`);
  node.style.left = `${Math.min(place(at), 99)}%`;
  node.style.width = `max(3px, ${place(Math.max(until, at)) - place(at)}%)`;
  return node;
}

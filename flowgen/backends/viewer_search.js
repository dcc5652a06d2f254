// What is looked for: words, and fields such as method:tools/*; all of them have to fit.

const PART = /(-?)(?:(method|kind|id|dir|status|tool):)?(?:"([^"]*)"|(\S+))/g;

/** `a*b` as a pattern for the beginning of a text. */
const glob = text => new RegExp(`^${text.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}`, 'iu');

const FIELDS = {
  method: (row, wanted) => glob(wanted).test(row.method || ''),
  kind: (row, wanted) => row.message.kind.startsWith(wanted) || row.kind === wanted,
  id: (row, wanted) => [String(idOf(row)), String(idOf(row)).replace(/^"|"$/g, '')].includes(wanted),
  tool: (row, wanted) => glob(wanted).test(row.name || toolOf(row)),
  dir: (row, wanted) => {
    const [from, to] = wanted.split('>');
    return named(row.message.sender, from) && (to === undefined || (passes(row) && named(row.message.receiver, to)));
  },
  status: (row, wanted) => {
    const http = row.message.http ? String(row.message.http.status ?? '') : '';
    const state = [row.state || '', row.failed || row.kind === 'err' ? 'failed' : ''];
    return new RegExp(`^${wanted.replace(/[^0-9x*]/g, '?').replace(/x/g, '.').replace(/\*/g, '.*').replace(/\?/g, '[]')}$`).test(http) || state.includes(wanted);
  },
};

/** The tool of an answer is that of its request. */
const toolOf = row => (bySeq.get(row.request) || {}).name || '';

const named = (id, wanted) => wanted === '' || [id, nameFor(id), (data.lanes[laneOf(id)] || {}).role || '']
  .some(each => each.toLowerCase().includes(wanted));

/** The messages that fit; null where nothing is looked for. */
function find(query) {
  const parts = [...query.matchAll(PART)].map(([, minus, field, quoted, word]) => (
    {not: minus === '-', field, text: (quoted ?? word).toLowerCase()}));
  if (!parts.length) return null;
  const fits = (row, {not, field, text}) => (field ? FIELDS[field](row, text) : textOf(row).includes(text)) !== not;
  return new Set(all.filter(row => parts.every(part => fits(row, part))));
}

/** Everything that can be read in a message, in small letters. */
function textOf(row) {
  const {http, problems} = row.message;
  const known = [say(row.title), say(row.word), row.method || '', row.name || '', written(row)];
  if (http) known.push(http.method || '', http.url || '', (http.headers || []).map(pair => pair.join(': ')).join('\n'));
  if (problems) known.push(problems.map(each => `${each.code} ${each.message}`).join('\n'));
  return known.join('\n').toLowerCase();
}

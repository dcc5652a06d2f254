// What stands over the lanes: search, buttons, help.

function speak(wanted) {
  lang = wanted;
  root.lang = wanted;
  headed();
  built();
}

/** What stands at the top of the page. */
function headed() {
  document.title = say(data.heading);
  for (const name of ['heading', 'subtitle', 'outcome']) {
    const node = document.getElementById(name);
    node.textContent = say(data[name]);
    node.hidden = !node.textContent;
  }
}

const KEYS_HELP = [['/', 'search'], ['j  k', 'next'], ['Enter', 'open'], ['[  ]', 'step'], ['r', 'pair'], ['p', 'play'],
  ['Esc', 'escape'], ['?', 'help']];
const FIELDS_HELP = [['method:tools/*', 'method'], ['kind:error', 'kind'], ['id:3', 'id'], ['dir:server>client', 'dir'],
  ['status:4xx', 'status'], ['tool:weather', 'tool'], ['-kind:stderr', 'not']];

function helpBox() {
  const table = (rows, told) => el('dl', 'keys', rows.flatMap(([sign, name]) =>
    [el('dt', '', el('kbd', '', sign)), el('dd', '', told(name))]));
  const kinds = ['req', 'res', 'err', 'ntf'].map(kind => el('li', '', legendLine(kind), w(`legend.${kind}`)));
  const box = el('dialog', {'aria-label': w('view.help.title')}, el('h2', '', w('view.help.title')),
    el('ul', 'legend', kinds), table(KEYS_HELP, name => w(`view.key.${name}`)),
    table(FIELDS_HELP, name => w(`view.search.${name}`)),
    button(w('view.close'), () => box.close()));
  return box;
}

function legendLine(kind) {
  const line = shape('line', {x1: 2, y1: 8, x2: 34, y2: 8, class: `ink ${kind}`, 'stroke-width': 2.5,
    'stroke-dasharray': kind === 'ntf' ? '9 6' : ''});
  return shape('svg', {width: 48, height: 16, 'aria-hidden': 'true'}, line, tip(kind, 44, 8, 1));
}

function searchBox() {
  const field = el('input', {type: 'search', id: 'search', value: query, placeholder: w('view.search.hint'),
    'aria-label': w('view.search'), autocomplete: 'off', spellcheck: 'false', input: () => search(field.value)});
  return el('div', {class: 'search', role: 'search'}, field, el('output', {id: 'found', 'aria-live': 'polite'}));
}

function toolBar() {
  const small = (key, act, hint) => button(w(key), act, hint ? {title: w(hint), 'aria-label': w(hint)} : {});
  const all = small('view.copy-all', () => copy(asTrace(), all));
  return el('div', {class: 'tools', role: 'group', 'aria-label': w('view.messages')},
    searchBox(),
    small('view.open-all', () => openAll(true)), small('view.close-all', () => openAll(false)),
    button(w('view.play'), startPlay, {id: 'play'}), all,
    small('view.save-svg', () => save(`${fileName()}.svg`, 'image/svg+xml', picture()), 'view.save-svg.hint'),
    small('view.save-json', () => save(`${fileName()}.json`, 'application/json', asTrace()), 'view.save-json.hint'),
    lookBox(), languageButton(), button('?', help, {'aria-label': w('view.help')}));
}

const picture = () => document.getElementById('picture').textContent.trim();
const help = () => document.querySelector('dialog').showModal();

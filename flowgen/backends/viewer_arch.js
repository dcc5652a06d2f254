// The architecture as a page: all of it stands there already; here are its switches.

/** Shows the side in a language, and the same node in it. */
function speak(wanted) {
  lang = wanted;
  root.lang = wanted;
  document.title = say(data.heading);
  document.getElementById('heading').textContent = say(data.heading);
  const node = /^#(?:en|zh)(-node-\d+)$/.exec(location.hash);
  if (node) location.replace(`#${wanted}${node[1]}`);
  tools();
  document.getElementById('language').focus({preventScroll: true});
}

function tools() {
  document.querySelectorAll('.tools').forEach(node => node.remove());
  const field = el('input', {type: 'search', id: 'search', placeholder: w('view.search'), 'aria-label': w('view.search'),
    autocomplete: 'off', spellcheck: 'false', input: () => search(field.value)});
  const named = (key, act, hint) => button(w(key), act, {title: w(hint), 'aria-label': w(hint)});
  document.getElementById('page').prepend(el('div', 'tools', el('div', {class: 'search', role: 'search'}, field),
    named('view.save-svg', () => save(`${fileName()}.svg`, 'image/svg+xml', picture()), 'view.save-svg.hint'),
    named('view.save-json', () => save(`${fileName()}.json`, 'application/json', data.document), 'view.save-topology.hint'),
    lookBox(), languageButton()));
}

const shownSide = () => document.querySelector(`.side[lang=${lang}]`);
const picture = () => new XMLSerializer().serializeToString(shownSide().querySelector('svg'));

/** Nodes whose card has the text stand out, other rows of the lists go. */
function search(text) {
  const wanted = text.trim().toLowerCase();
  const has = node => node.textContent.toLowerCase().includes(wanted);
  document.querySelectorAll('.spot').forEach(spot => {
    spot.classList.toggle('found', wanted !== '' && has(document.getElementById(spot.hash.slice(1))));
  });
  document.querySelectorAll('.findings li, tbody tr').forEach(row => { row.hidden = wanted !== '' && !has(row); });
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest('input, select');
  if (event.key === '/' && !typing) {
    event.preventDefault();
    document.getElementById('search').focus();
  } else if (event.key === 'Escape') {
    if (typing) typing.blur();
    else if (location.hash) location.hash = '#page';
  }
}

/** Asks whether the file has changed; the page is then made anew where it was. */
async function watch() {
  for (;;) {
    await new Promise(later => setTimeout(later, 1000));
    try {
      const answer = await fetch(`data.json?since=${encodeURIComponent(data.watch)}`, {cache: 'no-store'});
      if ((await answer.json()).watch) location.reload();
    } catch {
      continue;
    }
  }
}

tools();
document.addEventListener('keydown', pressed);
if (data.watch) watch();

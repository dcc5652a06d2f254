// Where the page begins: keys, address, printing, and newer data where somebody watches the file.

const PRESS = {
  '/': () => document.getElementById('search').focus(),
  j: () => walk(1),
  k: () => walk(-1),
  '[': () => walkStep(-1),
  ']': () => walkStep(1),
  r: walkPair,
  p: () => (playing() ? toggleTimer() : startPlay()),
  '?': help,
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const typing = event.target.closest('input, select, textarea');
  if (event.key === 'Escape') {
    if (typing) typing.blur();
    if (playing()) endPlay();
    return;
  }
  if (typing) return;
  const within = event.target.closest('button, a, pre, summary');
  if (event.key === 'Enter' && !within && chosen !== null) {
    event.preventDefault();
    return unfolded.has(chosen) || chosen.startsWith('run-') ? unfold(chosen) : toggle(chosen);
  }
  if (PRESS[event.key]) {
    event.preventDefault();
    PRESS[event.key]();
  }
}

function began() {
  indexed();
  built();
  document.addEventListener('keydown', pressed);
  document.addEventListener('mouseover', event => {
    const row = event.target.closest && event.target.closest('.row.message');
    decorated(row ? row.id : null);
  });
  addEventListener('hashchange', arrived);
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    built();
  });
  addEventListener('beforeprint', () => { list.whole = true; list.draw(); });
  addEventListener('afterprint', () => { list.whole = false; list.draw(); });
  if (location.hash) arrived();
  if (data.watch) watch();
}

function watchLine() {
  return data.watch ? el('p', {id: 'watching', role: 'status'}, w('view.watching')) : '';
}

/** Asks for newer data again and again; what is open, chosen and looked for stays. */
async function watch() {
  const said = text => { document.getElementById('watching').textContent = text; };
  for (;;) {
    try {
      const answer = await fetch(`data.json?since=${encodeURIComponent(data.watch)}`, {cache: 'no-store'});
      const fresh = await answer.json();
      if (fresh.problem) said(w('view.unread', {why: clean(fresh.problem)}));
      else if (fresh.watch) took(fresh);
      data.watch = fresh.watch || data.watch;
    } catch {
      said(w('view.stopped'));
    }
    await new Promise(later => setTimeout(later, 1000));
  }
}

function took(fresh) {
  const end = innerHeight + scrollY > document.body.scrollHeight - 80, at = scrollY;
  const lanesBefore = JSON.stringify(data.lanes);
  Object.assign(data, fresh);
  indexed();
  headed();
  document.getElementById('watching').textContent = w('view.watching');
  if (JSON.stringify(data.lanes) !== lanesBefore || data.breaches) built();
  else {
    document.querySelector('.heads').replaceWith(laneHeads());
    search(query);
  }
  scrollTo({top: end ? document.body.scrollHeight : at, behavior: 'instant'});
}

began();
performance.mark('shown');

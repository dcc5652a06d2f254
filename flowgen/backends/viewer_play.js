// The session played message by message: what has not come yet stands back.

const SPEEDS = [0.5, 1, 2, 4];
const play = {at: -1, timer: null, speed: 1};

const playing = () => play.at >= 0;
const numbered = () => list.rows.filter(row => row.row === 'message');

function playBar() {
  const press = (key, act) => button(w(key), act, {class: 'small'});
  play.press = press(play.timer ? 'view.pause' : 'view.play', toggleTimer);
  play.said = el('output', {'aria-live': 'polite'});
  play.range = el('input', {type: 'range', min: '0', max: '0', value: '0', 'aria-label': w('view.messages'),
    input: () => playTo(Number(play.range.value))});
  const speed = el('select', {'aria-label': w('view.speed'), change: () => {
    play.speed = Number(speed.value);
    if (play.timer) { pausePlay(); toggleTimer(); }
  }},
    SPEEDS.map(each => el('option', {value: each, selected: each === play.speed}, `×${each}`)));
  play.bar = el('div', {class: 'play', role: 'group', 'aria-label': w('view.play')},
    press('view.before', () => playTo(play.at - 1)), play.press, press('view.next', () => playTo(play.at + 1)),
    speed, play.range, play.said, press('view.end', endPlay));
  play.bar.hidden = !playing();
  return play.bar;
}

function startPlay() {
  play.bar.hidden = false;
  playTo(Math.max(0, numbered().findIndex(row => row.key === chosen)));
  toggleTimer();
}

function toggleTimer() {
  if (play.timer) pausePlay();
  else {
    play.timer = setInterval(() => (play.at + 1 < numbered().length ? playTo(play.at + 1) : pausePlay()), 1200 / play.speed);
    play.press.textContent = w('view.pause');
  }
}

function pausePlay() {
  clearInterval(play.timer);
  play.timer = null;
  play.press.textContent = w('view.play');
}

function playTo(at) {
  const rows = numbered();
  if (!rows.length) return;
  play.at = Math.min(Math.max(at, 0), rows.length - 1);
  play.range.max = String(rows.length - 1);
  play.range.value = String(play.at);
  play.said.textContent = w('view.place', {n: play.at + 1, of: rows.length});
  choose(rows[play.at].key);
}

function endPlay() {
  pausePlay();
  play.at = -1;
  play.bar.hidden = true;
  decorated();
}

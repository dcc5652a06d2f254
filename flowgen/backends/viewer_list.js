// A list of any length of which only what is on the screen is there. Heights are guessed until a row was shown.

const AHEAD = 600;          // px above and below the screen that are there, too
const GUESS = {step: 64, open: 40, else: 40, close: 14, remark: 44, run: 44, message: 44};

class List {
  constructor(box, above) {
    this.box = box;
    this.above = above;     // how high is what covers the top of the screen
    this.before = el('div', {role: 'presentation'});
    this.after = el('div', {role: 'presentation'});
    this.nodes = new Map();
    this.heights = new Map();
    this.rows = [];
    this.whole = false;     // for printing
    box.append(this.before, this.after);
    let waiting = false;
    const later = () => {
      if (!waiting) requestAnimationFrame(() => { waiting = false; this.draw(); });
      waiting = true;
    };
    this.heard = new AbortController();
    addEventListener('scroll', later, {passive: true, signal: this.heard.signal});
    addEventListener('resize', later, {passive: true, signal: this.heard.signal});
  }

  end() {
    this.heard.abort();
  }

  set(rows) {
    this.rows = rows;
    this.at = new Map(rows.map((row, at) => [row.key, at]));
    this.fresh();
  }

  /** Makes every row anew. */
  fresh() {
    const focused = document.activeElement && document.activeElement.closest('.row');
    this.nodes.forEach(node => node.remove());
    this.nodes.clear();
    this.measured = false;
    this.draw();
    const again = focused && this.nodes.get(focused.id);
    if (again) (again.querySelector('button.head') || again).focus({preventScroll: true});
  }

  /** Makes one row anew. */
  renew(key) {
    const old = this.nodes.get(key), at = this.at.get(key);
    this.heights.delete(key);
    this.measured = false;
    if (!old) return;
    const had = old.contains(document.activeElement);
    const node = rowNode(this.rows[at], {at, of: this.rows.length});
    old.replaceWith(node);
    this.nodes.set(key, node);
    if (had) node.querySelector('button.head').focus({preventScroll: true});
    this.draw();
  }

  guess(row) {
    const text = row.row === 'message' && open.has(row.key) ? written(row).length : -1;
    return GUESS[row.row] + (text < 0 ? 0 : Math.min(480, 120 + text / 2));
  }

  /** The top of each row, and of what comes after all. */
  tops() {
    if (this.measured) return this.places;
    this.places = new Float64Array(this.rows.length + 1);
    this.rows.forEach((row, at) => {
      this.places[at + 1] = this.places[at] + (this.heights.get(row.key) ?? this.guess(row));
    });
    this.measured = true;
    return this.places;
  }

  window() {
    if (this.whole) return [0, this.rows.length];
    const top = -this.box.getBoundingClientRect().top, tops = this.tops();
    const from = under(tops, top - AHEAD), to = under(tops, top + innerHeight + AHEAD) + 1;
    return [Math.min(from, this.rows.length), Math.min(to, this.rows.length)];
  }

  draw() {
    for (let turn = 0; turn < 3; turn += 1) {
      const [from, to] = this.window();
      this.place(from, to);
      if (!this.measure()) break;
    }
  }

  place(from, to) {
    const wanted = new Map();
    let last = this.before;
    for (let at = from; at < to; at += 1) {
      const row = this.rows[at];
      const node = this.nodes.get(row.key) || rowNode(row, {at, of: this.rows.length});
      if (last.nextSibling !== node) last.after(node);
      wanted.set(row.key, node);
      last = node;
    }
    this.nodes.forEach((node, key) => wanted.has(key) || node.remove());
    this.nodes = wanted;
    const tops = this.tops();
    this.before.style.height = `${tops[from]}px`;
    this.after.style.height = `${tops[this.rows.length] - tops[to]}px`;
    decorated();
  }

  /** Whether a row is of another height than was thought. */
  measure() {
    let changed = false;
    this.nodes.forEach((node, key) => {
      const height = node.offsetHeight;
      if (this.heights.get(key) !== height) {
        changed ||= (this.heights.get(key) ?? this.guess(this.rows[this.at.get(key)])) !== height;
        this.heights.set(key, height);
      }
    });
    if (changed) this.measured = false;
    return changed;
  }

  /** Brings a row to where it can be read; only if it is out of sight, unless it is to stand `above`. */
  show(key, above = false) {
    const at = this.at.get(key);
    if (at === undefined) return;
    for (let turn = 0; turn < 4; turn += 1) {
      const tops = this.tops(), top = this.box.getBoundingClientRect().top, head = this.above();
      const first = top + tops[at], last = top + tops[at + 1];
      if (above || first < head || last - first > innerHeight - head) scrollBy({top: first - head - 8, behavior: 'instant'});
      else if (last > innerHeight) scrollBy({top: last - innerHeight + 8, behavior: 'instant'});
      this.draw();
    }
  }
}

/** The index of the last place that is not below `y`. */
function under(places, y) {
  let low = 0, high = places.length - 1;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (places[half] <= y) low = half;
    else high = half - 1;
  }
  return low;
}

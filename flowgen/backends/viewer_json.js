// JSON as it was written, set for reading: numbers, names used twice and the order of members stay what they are.

const WIDE = 76;            // columns that a value may take on one line
const DEEP = 200;           // what is nested deeper stays as it came
const LONG = 200000;        // characters that are shown
const TOKEN = /[ \t\r\n]*(?:("[^"\\]*(?:\\[^][^"\\]*)*")|(-?\d[\d.eE+-]*)|(true|false|null|NaN|-?Infinity)|([[\]{},:]))/y;
const KINDS = [, 'string', 'number', 'word', 'punct'];
const HOT = new Set(['"method"', '"id"', '"protocolVersion"', '"capabilities"', '"isError"', '"code"', '"resultType"']);

/** The text as a tree of values that keep their letters; undefined for what is no JSON. */
function parsed(text) {
  let at = 0, token = ['', ''];
  const next = () => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw new SyntaxError('no JSON');
    at = TOKEN.lastIndex;
    const kind = found.findIndex((part, number) => number && part !== undefined);
    token = [KINDS[kind], found[kind]];
  };
  const skip = sign => {
    if (token[1] !== sign) throw new SyntaxError('no JSON');
    next();
  };
  const value = deep => {
    const [kind, letters] = token;
    if (kind !== 'punct') return {kind, letters, wide: letters.length};
    if (deep > DEEP || (letters !== '{' && letters !== '[')) throw new SyntaxError('no JSON');
    return inside(letters, letters === '{' ? '}' : ']', deep + 1);
  };
  const inside = (open, close, deep) => {
    const made = {open, close, items: [], wide: 4};
    next();
    while (token[1] !== close || token[0] !== 'punct') {
      if (made.items.length) skip(',');
      const item = {};
      if (open === '{') {
        if (token[0] !== 'string') throw new SyntaxError('no JSON');
        item.key = token[1];
        next();
        skip(':');
      }
      item.value = value(deep);
      made.items.push(item);
      made.wide += item.value.wide + (item.key ? item.key.length + 2 : 0) + 2;
      next();
    }
    return made;
  };
  try {
    next();
    const tree = value(0);
    return text.slice(at).trim() ? undefined : tree;
  } catch (problem) {
    if (problem instanceof SyntaxError) return undefined;
    throw problem;
  }
}

/** The spans of a tree, lines broken where they would be too long. */
function printed(tree, indent = '', out = [], flat = false) {
  if (!tree.items) {
    out.push(el('span', `j-${tree.kind}`, seen(tree.letters)));
    return out;
  }
  const punct = sign => out.push(el('span', 'j-punct', sign));
  const line = flat || (tree.wide + indent.length <= WIDE && indent.length > 0) || !tree.items.length;
  const pad = tree.open === '{' && line && tree.items.length ? ' ' : '';
  punct(tree.open + pad);
  tree.items.forEach(({key, value}, number) => {
    if (!line) out.push(`\n${indent}  `);
    if (key) {
      out.push(el('span', HOT.has(key) ? 'j-hot' : 'j-key', seen(key)));
      punct(': ');
    }
    printed(value, `${indent}  `, out, line);
    if (number < tree.items.length - 1) punct(line ? ', ' : ',');
  });
  if (!line) out.push(`\n${indent}`);
  punct(pad + tree.close);
  return out;
}

/** A box with a payload; what is no JSON stands there as it came. */
function jsonBox(text, name) {
  const tree = text.length > LONG ? undefined : parsed(text);
  const more = text.length - LONG;
  const inside = tree ? printed(tree) : seen(text.slice(0, LONG));
  const rest = more > 0 ? [el('span', 'j-cut', w('view.more', {n: more}))] : [];
  return el('pre', {tabindex: '0', role: 'group', 'aria-label': name}, el('code', '', inside, rest));
}

// Elements, words and texts. Nothing here ever becomes markup: every text goes in as text.

const data = JSON.parse(document.getElementById('data').textContent);
const SVG = 'http://www.w3.org/2000/svg';
const root = document.documentElement;
let lang = data.lang;

// What cannot be seen, or turns what is around it: shown as U+202E. U+200D joins emoji and stays between them.
const HIDDEN = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4' +
  '\\u17b5\\u180b-\\u180f\\u200b\\u200c\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff' +
  '\\ufdd0-\\ufdef\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff9-\\ufffb\\ufffe\\uffff\\u{1bca0}-\\u{1bca3}' +
  '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\u{f0000}-\\u{10ffff}]' +
  '|(?<![\\p{Extended_Pictographic}\\ufe0f])\\u200d|\\u200d(?!\\p{Extended_Pictographic})', 'gu');

const code = sign => 'U+' + sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
const clean = text => String(text).replace(HIDDEN, code);

/** A text of a stranger as nodes; what cannot be seen stands out. */
function seen(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(HIDDEN)) {
    nodes.push(text.slice(end, found.index), el('span', 'hidden', code(found[0])));
    end = found.index + found[0].length;
  }
  return [...nodes, text.slice(end)];
}

/** An element with its class, attributes (functions are listeners) and children. */
function el(name, attributes, ...children) {
  const node = document.createElement(name);
  const given = typeof attributes === 'string' ? {class: attributes} : attributes || {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === 'function') node.addEventListener(key, value);
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter(child => child !== '' && child !== undefined && child !== null));
  return node;
}

/** An element of a drawing. */
function shape(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** The language's side of a text of the page. */
const say = text => (Array.isArray(text) ? text[lang === 'zh' ? 1 : 0] : text || '');

const count = value => (typeof value === 'number' ? value.toLocaleString('en-US') : value);

/** Words of the page with their values filled in, by the rules of the language files. */
function w(key, values = {}) {
  const filled = part => part.replace(/\{(\w+)(,)?(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (_, name, comma, one, many) =>
    one !== undefined ? (values[name] === 1 ? one : many) : comma ? count(values[name]) : String(values[name]));
  const known = part => [...part.matchAll(/\{(\w+)/g)].every(hole => values[hole[1]]);
  return filled(data.words[lang][key].replace(/\[\[(.*?)\]\]/g, (_, part) => (known(part) ? part : '')));
}

/** Seconds as people say them, with two digits where there are few. */
function duration(seconds) {
  if (seconds < 0.9995) return `${seconds < 0.00095 ? (seconds * 1000).toPrecision(1) : Math.round(seconds * 1000)} ms`;
  return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

const button = (word, act, more) => el('button', {type: 'button', click: act, ...more}, word);

async function copy(text, pressed) {
  const shown = pressed.textContent;
  try {
    await navigator.clipboard.writeText(text);
    pressed.textContent = w('view.copied');
  } catch {
    pressed.textContent = selected(text) ? w('view.copied') : w('view.not-copied');
  }
  setTimeout(() => { pressed.textContent = shown; }, 1500);
}

/** The way of copying for pages from a disk in browsers that know no other. */
function selected(text) {
  const field = el('textarea', {'aria-hidden': 'true', class: 'away'});
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}

function save(name, kind, text) {
  const link = el('a', {download: name, href: URL.createObjectURL(new Blob([text], {type: kind}))});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const fileName = () => clean(document.title).replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60) || 'flow';

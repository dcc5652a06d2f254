// Colours and language, as every page has them; `speak` is the page's own.

const LOOKS = ['auto', 'light', 'dark'];
let look = root.dataset.theme || 'auto';

function lookBox() {
  const choice = el('select', {'aria-label': w('view.look'), change: () => dressed(choice.value)},
    LOOKS.map(each => el('option', {value: each, selected: each === look}, w(`view.look.${each}`))));
  return choice;
}

function dressed(wanted) {
  look = wanted;
  if (wanted === 'auto') delete root.dataset.theme;
  else root.dataset.theme = wanted;
}

const languageButton = () => button(lang === 'zh' ? 'English' : '中文', () => speak(lang === 'zh' ? 'en' : 'zh'),
  {id: 'language', lang: lang === 'zh' ? 'en' : 'zh'});

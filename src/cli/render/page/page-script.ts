/**
 * Script of all pages, which need none: it takes the token out of the address, adds copy buttons, sends forms without
 * leaving the page, and shows live states. It isn't built from a module, because a page's policy names its hash.
 */
export const SCRIPT = `(() => {
'use strict';
const one = (query, from = document) => from.querySelector(query);
const all = (query, from = document) => [...from.querySelectorAll(query)];

const token = new URLSearchParams(location.hash.slice(1)).get('token');
if (token !== null) {
  history.replaceState(null, '', location.pathname + location.search);
  const field = one('#token');
  if (field !== null) {
    field.value = token;
    field.form.requestSubmit();
    return;
  }
}

const say = (text, tone = '') => {
  const said = one('#said');
  if (said === null) return;
  said.textContent = text;
  said.className = tone;
};

const prepare = () => {
  for (const code of all('.commands code:not([data-copy])')) {
    code.dataset.copy = '';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', 'Copy ' + code.textContent);
    const pair = document.createElement('span');
    pair.className = 'pair';
    code.replaceWith(pair);
    pair.append(code, button);
  }
};

const copy = async (code) => {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    // Browsers keep the clipboard from pages that came over a network in clear.
    const range = document.createRange();
    range.selectNodeContents(code);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand('copy');
  }
};
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button.copy');
  if (button === null) return;
  button.textContent = (await copy(button.previousElementSibling)) ? 'Copied' : 'Selected';
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
});

const TYPED = 'textarea, input:not([type])';
const isBusy = (from) => all(TYPED, from).some((field) => field === document.activeElement || field.value !== field.defaultValue);
const keyed = (from) => all('[data-key]', from);
const kept = new Map();
const keep = () => {
  kept.clear();
  for (const block of keyed(one('#page'))) kept.set(block.dataset.key, block.outerHTML);
};

/** What is folded open, chosen or focused stays so when its place is written anew. */
const withState = (change) => {
  const open = all('details[id]').filter((fold) => fold.open).map(({ id }) => id);
  const chosen = all('input[type=radio]:checked').map(({ id }) => id);
  const focus = document.activeElement;
  change();
  for (const id of open) if (document.getElementById(id)) document.getElementById(id).open = true;
  for (const id of chosen) if (document.getElementById(id)) document.getElementById(id).checked = true;
  const again = focus.isConnected ? focus : document.getElementById(focus.id);
  if (again !== null && again !== document.activeElement) again.focus({ preventScroll: true });
  prepare();
};

/** Blocks that are as before, or are written in, stay: with the same blocks in the same order nothing else moves. */
const show = (html) => {
  const page = one('#page');
  const next = page.cloneNode(false);
  next.innerHTML = html;
  const old = new Map(keyed(page).map((block) => [block.dataset.key, block]));
  const blocks = keyed(next);
  const keys = blocks.map(({ dataset }) => dataset.key);
  const isSame = keys.length > 1 && keys.join() === [...old.keys()].join();
  withState(() => {
    for (const block of blocks) {
      const { key } = block.dataset;
      const text = block.outerHTML;
      const own = old.get(key);
      const stays = own !== undefined && (kept.get(key) === text || isBusy(own));
      if (!stays) kept.set(key, text);
      if (isSame && !stays) own.replaceWith(block);
      if (!isSame && stays) block.replaceWith(own);
    }
    if (!isSame) page.replaceChildren(...next.childNodes);
    for (const key of kept.keys()) if (!keys.includes(key)) kept.delete(key);
  });
  tick();
};

const tick = () => {
  for (const time of all('time.since')) {
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(time.dateTime)) / 1000));
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = parts[0] > 0 ? parts : parts.slice(1);
    time.textContent = shown.map((part, at) => at === 0 ? part : String(part).padStart(2, '0')).join(':');
  }
};

let source = null;
const follow = () => {
  source?.close();
  source = null;
  const path = one('#page').dataset.follow;
  if (path === undefined || document.hidden) return;
  source = new EventSource(path);
  let isLost = false;
  source.onmessage = ({ data }) => {
    if (isLost) say('');
    isLost = false;
    show(JSON.parse(data));
  };
  source.onerror = () => {
    isLost = true;
    say(source.readyState === EventSource.CLOSED
      ? 'This page is of an earlier start. Open the address that ralph page printed.'
      : "ralph page doesn't answer. Is it still running?", 'bad');
  };
};
document.addEventListener('visibilitychange', follow);

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.id === 'enter') return;
  event.preventDefault();
  const button = one('button', form);
  if (button.disabled) return;
  button.disabled = true;
  say('Working …');
  try {
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    const text = await answer.text();
    const read = new DOMParser().parseFromString(text, 'text/html');
    const [said, page] = [one('#said', read), one('#page', read)];
    if (page !== null && (answer.ok || answer.status === 409)) {
      const typed = one(TYPED, form);
      const { id, value } = typed ?? {};
      form.reset();
      kept.delete(form.closest('[data-key]')?.dataset.key);
      document.activeElement?.blur();
      const { follow: path } = page.dataset;
      if (path !== undefined && path !== one('#page').dataset.follow) {
        history.pushState(null, '', path);
        one('#page').dataset.follow = path;
        document.title = read.title;
        follow();
      }
      show(page.innerHTML);
      // Words that weren't taken are kept for the newer form.
      const field = id === undefined || answer.ok ? null : document.getElementById(id);
      if (field !== null) field.value = value;
    }
    say(said === null ? text.slice(0, 500) : said.textContent, answer.ok ? 'good' : 'bad');
  } catch {
    say("ralph page doesn't answer. Is it still running?", 'bad');
  }
  button.disabled = false;
});
addEventListener('popstate', () => location.reload());

keep();
prepare();
if (one('#page[data-follow]')) {
  tick();
  setInterval(tick, 1000);
  follow();
}
})();`;

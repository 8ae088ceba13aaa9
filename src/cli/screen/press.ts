import { stripControl } from 'ralph-kit/text';
import { COMMON_KEYS, FIRST_KEYS, HOME_KEYS, type KeyEntry, type Step, scrolled } from './keys.ts';
import { focused, HOME, type Prompt, type Screen, type View } from './state.ts';
import { chosenRow } from './tasks.ts';

/** Number of lines around a scrolled view, which are also those that stay from one page to the next. */
const AROUND = 6;

/**
 * Returns the screen after a key, and the key's effect. The key is a character, a name such as `<enter>`, or pasted
 * text.
 */
export function press(screen: Screen, key: string): Step {
  const { prompt, view } = screen;
  if (prompt !== null) return key === '<ctrl-c>' ? left(screen) : answered(screen, prompt, key);
  if (key === '<escape>') return escaped(screen);
  if (view.kind !== 'home') {
    if (view.kind === 'choice') {
      const option = view.options.find((one) => one.key === key);
      if (option !== undefined) return chosen(screen, option);
    }
    const next = scrolled(view, key, Math.max(1, screen.rows - AROUND));
    if (next !== null) return { screen: { ...screen, view: next }, effect: null };
    if (view.kind !== 'choice' && key === 'q') return escaped(screen);
  }
  const context = contextOf(screen);
  const entry = keysHere(screen).find(
    (one) => one.keys.includes(key) && context !== null && one.acts(context),
  );
  if (entry === undefined || context === null) return { screen, effect: null };
  const step = entry.step(context, key);
  // A message is about the key before, so the next key removes it.
  const isShown = step.screen.message === screen.message && step.effect === null;
  return isShown ? { ...step, screen: { ...step.screen, message: null } } : step;
}

/** Returns the keys of the current view, with those that do nothing now. */
export function keysHere(screen: Screen): readonly KeyEntry[] {
  if (screen.view.kind !== 'home') return COMMON_KEYS;
  const isSetUp = focused(screen)?.problem !== 'not_set_up';
  return [...(isSetUp ? HOME_KEYS : [...FIRST_KEYS, ...tabKey()]), ...COMMON_KEYS];
}

function tabKey(): readonly KeyEntry[] {
  return HOME_KEYS.filter(({ keys }) => keys.includes('<tab>'));
}

/** Returns the context of keys; `null`: there is no repository. */
export function contextOf(screen: Screen) {
  const repo = focused(screen);
  return repo === null ? null : { screen, repo, row: chosenRow(repo, screen.filter) };
}

function left(screen: Screen): Step {
  return { screen: { ...screen, prompt: null }, effect: { do: 'quit' } };
}

/** Returns the screen one step back. Esc never leaves the screen. */
function escaped(screen: Screen): Step {
  const { view, filter } = screen;
  const back: View = view.kind === 'text' ? view.back : HOME;
  const next = view.kind === 'home' && filter !== '' ? { filter: '' } : { view: back };
  return { screen: { ...screen, ...next, message: null }, effect: null };
}

type Chosen = Extract<View, { kind: 'choice' }>['options'][number];

function chosen(screen: Screen, { effect, asks }: Chosen): Step {
  if (asks === null) return { screen, effect };
  const { question, into, optional } = asks;
  const effectOf = (answer: string) => ({ ...effect, [into]: answer === '' ? null : answer });
  const prompt: Prompt = { kind: 'line', question, value: '', at: 0, optional, effectOf };
  return { screen: { ...screen, prompt, message: null }, effect: null };
}

function answered(screen: Screen, prompt: Prompt, key: string): Step {
  const without = { ...screen, prompt: null };
  if (prompt.kind === 'yes') {
    const isYes = key === 'y' || key === 'Y';
    return { screen: without, effect: isYes ? prompt.effect : null };
  }
  if (key === '<escape>')
    return { screen: prompt.kind === 'find' ? { ...without, filter: '' } : without, effect: null };
  if (key === '<enter>') {
    if (prompt.kind === 'find') return { screen: without, effect: null };
    const answer = prompt.value.trim();
    if (answer === '' && !prompt.optional) return { screen: without, effect: null };
    return { screen: without, effect: prompt.effectOf(answer) };
  }
  const edited = { ...prompt, ...typed(prompt, key) };
  const filter = edited.kind === 'find' ? edited.value : screen.filter;
  return { screen: { ...screen, prompt: edited, filter }, effect: null };
}

/** Returns a line and its cursor after a key. It moves by whole characters, even those of two UTF-16 units. */
function typed({ value, at }: { readonly value: string; readonly at: number }, key: string) {
  const before = [...value.slice(0, at)];
  const after = [...value.slice(at)];
  const join = (one: readonly string[], other: readonly string[]) => ({
    value: [...one, ...other].join(''),
    at: one.join('').length,
  });
  switch (key) {
    case '<backspace>':
      return join(before.slice(0, -1), after);
    case '<delete>':
      return join(before, after.slice(1));
    case '<left>':
      return { value, at: before.slice(0, -1).join('').length };
    case '<right>':
      return { value, at: at + (after[0]?.length ?? 0) };
    case '<home>':
    case '<ctrl-a>':
      return { value, at: 0 };
    case '<end>':
    case '<ctrl-e>':
      return { value, at: value.length };
    case '<ctrl-u>':
      return join([], after);
    case '<ctrl-w>':
      return join([...before.join('').replace(/\S*\s*$/, '')], after);
    default:
      // Other named keys do nothing, and pasted text becomes one line.
      return /^<[a-z-]+>$/.test(key)
        ? { value, at }
        : join([...before, ...stripControl(key.replace(/\s+/g, ' '))], after);
  }
}

export type Key = {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
};

const NAMED: Readonly<Record<string, string>> = {
  return: '<enter>',
  enter: '<enter>',
  escape: '<escape>',
  backspace: '<backspace>',
  delete: '<delete>',
  up: '<up>',
  down: '<down>',
  left: '<left>',
  right: '<right>',
  home: '<home>',
  end: '<end>',
  pageup: '<pageup>',
  pagedown: '<pagedown>',
  tab: '<tab>',
};

/** Returns a key in the form that `press` takes, from what Node read; `null`: the screen doesn't use it. */
export function keyName(text: string | undefined, { name, ctrl, meta, shift }: Key): string | null {
  if (meta === true && name !== 'escape') return null;
  if (name === 'tab' && shift === true) return '<shift-tab>';
  if (ctrl === true) return name === undefined ? null : `<ctrl-${name}>`;
  const named = name === undefined ? undefined : NAMED[name];
  if (named !== undefined) return named;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is left out.
  return text === undefined || text === '' || /[\x00-\x1f\x7f]/.test(text) ? null : text;
}

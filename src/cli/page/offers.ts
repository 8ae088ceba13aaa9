import { createHmac } from 'node:crypto';
import { capitalized } from 'ralph-kit/text';
import { isSameSecret, type Session } from '../../app/commands/page/serve-page.ts';
import type { Watched } from '../../app/commands/watch.ts';
import type { Effect } from '../screen/effect.ts';
import { HOME_KEYS, type KeyEntry } from '../screen/keys.ts';
import { type ChoiceOption, emptyScreen, type Prompt, type Repo } from '../screen/state.ts';
import { type Row, rowsOf } from '../screen/tasks.ts';

/**
 * Keys of the screen that the page offers as actions, by their names in forms. The other keys move around the screen,
 * or need a terminal.
 */
const KEYS = {
  answer: 'A',
  accept: 'a',
  unblock: 'u',
  take: 'b',
  land: 'L',
  guide: 'g',
  hold: 'h',
  first: 'f',
  retitle: 't',
  reopen: 'R',
  stop_worker: 'w',
  pause: 'p',
  stop: 'x',
  stop_now: 'X',
  resume: 'C',
  guide_all: 'G',
} as const;
type KeyName = keyof typeof KEYS;

/** Keys of actions about the whole repository. */
export const OF_RUN: readonly KeyName[] = ['pause', 'stop', 'stop_now', 'resume'];
/** Keys of actions about all tasks. */
export const OF_TASKS: readonly KeyName[] = ['guide_all'];
/** Keys of actions in a card about something that needs you, the most likely first. */
export const OF_NEED: readonly KeyName[] = ['answer', 'land', 'accept', 'unblock', 'guide', 'take'];
/** Keys of actions about any task. */
export const OF_TASK: readonly KeyName[] = ['guide', 'first', 'hold', 'stop_worker', 'retitle', 'reopen'];

/** Words on a button, where the screen's words for the key are too short. */
const LABELS: Readonly<Record<string, string>> = {
  unblock: 'try again',
  title: 'edit the title',
  first: 'do it first',
  hold: 'hold it back',
  guide: 'give guidance',
  'guide all': 'give guidance for every task',
};
/** Keys of actions whose text may have several lines. */
const LONG: ReadonlySet<string> = new Set(['answer', 'guide', 'guide_all']);

/** An action that a form carries out. */
export type Offer = {
  readonly name: string;
  /** Id of the task, request or incident that the action is about; '': the repository. */
  readonly about: string;
  /** Key of the chosen option; '': there is nothing to choose. */
  readonly choice: string;
  readonly label: string;
  /** Meaning of the action; '': its label is enough. */
  readonly note: string;
  /** Question that is asked before the action; `null`: none. */
  readonly question: string | null;
  readonly input: { readonly isLong: boolean; readonly value: string; readonly hint: string } | null;
  /** Code which proves that the form was made for this session and for the state that it decides on. */
  readonly check: string;
};

/** What an accepted form does, or why it is refused. */
export type FormResult =
  | { readonly kind: 'effect'; readonly effect: Effect }
  | { readonly kind: 'refused'; readonly status: 403 | 409 | 422; readonly text: string };

type Context = {
  readonly screen: ReturnType<typeof emptyScreen>;
  readonly repo: Repo;
  readonly row: Row | null;
};

/** A repository in the state that a form was made for. */
export type Place = {
  readonly id: string;
  readonly dir: string;
  readonly data: Watched;
};

const OVER = 'This was decided or has changed since the page was made. Nothing was changed; look again.';

/**
 * Returns functions that make and accept forms. A form's code is valid until its action was carried out once, in any
 * browser tab.
 */
export function openOffers() {
  const done = new Map<string, number>();

  function keyOf(place: Place, name: string, about: string, choice: string): string {
    return JSON.stringify([place.id, name, about, choice]);
  }

  function checkOf({ secret }: Session, key: string, state: string): string {
    const text = JSON.stringify([key, state, done.get(key) ?? 0]);
    return createHmac('sha256', secret).update(text).digest('base64url');
  }

  function ofKeys(place: Place, session: Session, row: Row | null, names: readonly KeyName[]): Offer[] {
    const context = contextOf(place, row);
    return names.flatMap((name) => {
      const found = entryFor(context, name);
      if (found === null) return [];
      const { entry, prompt } = found;
      const about = row?.id ?? '';
      const label = entry.label(context);
      const [question = '', hint = ''] = questionOf(
        prompt === null || prompt.kind === 'find' ? '' : prompt.question,
      );
      const input = prompt?.kind === 'line' ? { isLong: LONG.has(name), value: prompt.value, hint } : null;
      return [
        {
          name,
          about,
          choice: '',
          note: '',
          input,
          label: capitalized(LABELS[label] ?? label),
          question: prompt === null ? null : question,
          check: checkOf(session, keyOf(place, name, about, ''), stateOf(context, name)),
        },
      ];
    });
  }

  /** Returns an action for each option of a request or incident, without those that only show something. */
  function ofChoice(
    place: Place,
    session: Session,
    about: string,
    options: readonly ChoiceOption[],
  ): Offer[] {
    const state = choiceState(place, about);
    return options
      .filter((option) => !shows(option))
      .map((option) => {
        const [question = '', hint = ''] = questionOf(option.asks?.question ?? '');
        const [label = '', ...note] = option.label.split(': ');
        return {
          name: 'decide',
          about,
          choice: option.key,
          label: capitalized(label),
          note: note.join(': '),
          question: option.asks === null ? null : question,
          input: option.asks === null ? null : { isLong: option.asks.into !== 'agent', value: '', hint },
          check: checkOf(session, keyOf(place, 'decide', about, option.key), state ?? ''),
        };
      });
  }

  /** Accepts a form only if the state that it decides on is still the same. */
  function accepted(
    place: Place,
    session: Session,
    form: URLSearchParams,
    options: readonly ChoiceOption[] | null,
  ): FormResult {
    const [name, about, choice] = [form.get('do') ?? '', form.get('about') ?? '', form.get('choice') ?? ''];
    const text = (form.get('text') ?? '').replaceAll('\r\n', '\n').trim();
    const key = keyOf(place, name, about, choice);
    const isChecked = (state: string) => isSameSecret(form.get('check') ?? '', checkOf(session, key, state));
    if (options !== null) {
      const state = choiceState(place, about);
      const option = options.find((one) => one.key === choice);
      if (state === null || option === undefined || shows(option) || !isChecked(state))
        return refused(409, OVER);
      const { asks, effect } = option;
      if (asks !== null && !asks.optional && text === '')
        return refused(422, `${asks.question} Nothing was decided.`);
      const answered = asks === null ? {} : { [asks.into]: text === '' ? null : text };
      return { kind: 'effect', effect: { ...effect, ...answered } };
    }
    const row = about === '' ? null : (rowsOf(repoOf(place)).find(({ id }) => id === about) ?? null);
    if (!isKeyName(name) || (about !== '' && row === null)) return refused(409, OVER);
    const context = contextOf(place, row);
    const found = entryFor(context, name);
    if (found === null || !isChecked(stateOf(context, name))) return refused(409, OVER);
    const { prompt, effect } = found;
    if (prompt?.kind === 'line' && text === '' && !prompt.optional)
      return refused(422, `Your words are missing. ${prompt.question}`);
    const chosen =
      prompt === null
        ? effect
        : prompt.kind === 'line'
          ? prompt.effectOf(text)
          : prompt.kind === 'yes'
            ? prompt.effect
            : null;
    return chosen === null ? refused(409, OVER) : { kind: 'effect', effect: chosen };
  }

  /** Makes the codes of forms for an action invalid once it was carried out. */
  function use({ id }: Pick<Place, 'id'>, form: URLSearchParams): void {
    const key = JSON.stringify([id, form.get('do') ?? '', form.get('about') ?? '', form.get('choice') ?? '']);
    done.set(key, (done.get(key) ?? 0) + 1);
  }

  return { ofKeys, ofChoice, accepted, use };
}

/** Splits a question of the screen into the question and the meaning of an empty answer: `Why? (Enter: no reason)`. */
function questionOf(text: string): string[] {
  return text.replace(/\)$/, '').split(' (Enter: ');
}

function refused(status: 403 | 409 | 422, text: string): FormResult {
  return { kind: 'refused', status, text };
}

function isKeyName(name: string): name is KeyName {
  return Object.hasOwn(KEYS, name);
}

export function repoOf({ dir, data }: Pick<Place, 'dir' | 'data'>): Repo {
  return { dir, name: data.name, data, problem: null, changed: {}, taskId: null };
}

function contextOf(place: Place, row: Row | null): Context {
  const repo = repoOf(place);
  return { screen: { ...emptyScreen([]), repos: [repo] }, repo, row };
}

/** Returns what the screen's key would ask or do now; `null`: it would do nothing. */
function entryFor(
  context: Context,
  name: KeyName,
): { readonly entry: KeyEntry; readonly prompt: Prompt | null; readonly effect: Effect | null } | null {
  const key = KEYS[name];
  const entry = HOME_KEYS.find(({ keys }) => keys.includes(key));
  if (entry === undefined || !entry.acts(context)) return null;
  const { screen, effect } = entry.step(context, key);
  return screen.prompt === null && effect === null ? null : { entry, prompt: screen.prompt, effect };
}

/** Keys of actions whose meaning doesn't depend on the state of the task's attempts. */
const ABOUT_ANY_STATE: ReadonlySet<string> = new Set(['guide', 'hold', 'first', 'retitle']);

/** Returns the state that an action decides on: a form that was made for another state isn't accepted. */
function stateOf({ repo, row }: Context, name: KeyName): string {
  const running = repo.data?.status.running ?? null;
  if (row === null) {
    const isAny = name === 'guide_all';
    return isAny
      ? ''
      : JSON.stringify([
          running?.run,
          running?.paused_since,
          running?.stopping,
          repo.data?.status.policy_stop,
        ]);
  }
  const { title, group, state, task } = row;
  const { held, first, asks, kept, status, tries, place } = task;
  if (ABOUT_ANY_STATE.has(name)) return JSON.stringify([title, held, first]);
  return JSON.stringify([title, group, state, asks, kept, status, tries.at(-1)?.iteration, place?.command]);
}

/** Returns the state of a request or incident; `null`: it is no longer open. */
function choiceState({ data }: Place, about: string): string | null {
  const found = [...data.requests, ...data.incidents].find(({ id }) => id === about);
  return found === undefined ? null : JSON.stringify(found);
}

function shows({ effect }: ChoiceOption): boolean {
  return effect.do === 'decide' && effect.shows;
}

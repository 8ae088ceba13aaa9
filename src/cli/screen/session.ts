import { NOT_SET_UP, type RepositoryRead } from '../../app/commands/follow-repository.ts';
import { changesBetween } from './changes.ts';
import type { Effect } from './effect.ts';
import { press } from './press.ts';
import { focused, HOME, type Screen, type View, withRepo } from './state.ts';
import { chosenRow, rowsOf } from './tasks.ts';

/** The screen of one call of `ralph watch`. */
export type Session = {
  readonly screen: Screen;
  /** Whether changes are written as plain lines instead of the full screen. */
  readonly isPlain: boolean;
  /** Number of the newest request. A view that arrives after a newer request isn't shown. */
  readonly asked: number;
};

export type Outcome =
  | { readonly kind: 'message'; readonly ok: boolean; readonly text: string }
  | { readonly kind: 'view'; readonly view: View };

/** An effect that only concerns the screen. */
export type OwnEffect = Extract<Effect, { do: 'plain' | 'suspend' | 'quit' | 'leave_for' }>;

export function isOwn(effect: Effect): effect is OwnEffect {
  const { do: what } = effect;
  return what === 'plain' || what === 'suspend' || what === 'quit' || what === 'leave_for';
}

const BUSY: Screen['message'] = { text: 'working …', tone: 'busy' };

/** Returns the session after a key, and the key's effect. @param top Scroll position that is shown; `null`: none. */
export function afterKey(session: Session, key: string, top: number | null) {
  const { screen, isPlain, asked } = session;
  if (isPlain) {
    const effect: Effect | null = key === 'q' || key === '<ctrl-c>' ? { do: 'quit' } : null;
    return { session: { ...session, isPlain: key !== 's' }, effect };
  }
  const { view } = screen;
  const shown = top !== null && view.kind !== 'home' ? { ...screen, view: { ...view, top } } : screen;
  const { screen: next, effect } = press(shown, key);
  const busy = effect === null || isOwn(effect) ? {} : { message: BUSY };
  return {
    session: { isPlain: effect?.do === 'plain', asked: asked + 1, screen: { ...next, ...busy } },
    effect,
  };
}

/** Returns the session after a repository was read, and the plain lines about what changed there. */
export function afterRead(session: Session, index: number, { data, problem }: RepositoryRead) {
  const { screen, isPlain } = session;
  if (data === null) {
    // When a repository can't be read, what was read before stays on screen, unless ralph isn't set up there any more.
    const gone = problem === NOT_SET_UP ? { data } : {};
    return { session: { ...session, screen: withRepo(screen, index, { ...gone, problem }) }, lines: [] };
  }
  const lines = isPlain ? changesBetween(screen.repos[index]?.data ?? null, data) : [];
  const read = withRepo(screen, index, { data, problem: null, name: data.name });
  return { session: { ...session, screen: withoutStale(read) }, lines };
}

/** Returns the screen with the outcome of an effect. A view isn't shown if something else was asked for since. */
export function afterEffect({ screen, asked }: Session, outcome: Outcome | null, askedThen: number): Screen {
  const isWanted = outcome?.kind === 'message' || asked === askedThen;
  return outcome !== null && isWanted ? withOutcome(screen, outcome) : screen;
}

/** Returns the screen with a growing text read again. If its end was shown, it stays shown. */
export function withTextAgain(screen: Screen, before: View, outcome: Outcome | null, atEnd: boolean): Screen {
  const { view } = screen;
  // You may have left the view while its text was being read.
  if (view !== before || view.kind !== 'text' || outcome?.kind !== 'view' || outcome.view.kind !== 'text')
    return screen;
  const top = atEnd ? Number.MAX_SAFE_INTEGER : view.top;
  return { ...screen, view: { ...outcome.view, top, back: view.back } };
}

/** Returns the task that an effect is about; `null`: it isn't about a single task. */
export function taskOf(effect: Effect, screen: Screen): string | null {
  if ('task' in effect) return effect.task;
  const repo = focused(screen);
  const isDecision = effect.do === 'decide' || effect.do === 'resume';
  return isDecision && repo !== null ? (chosenRow(repo, screen.filter)?.id ?? null) : null;
}

function withOutcome(screen: Screen, outcome: Outcome): Screen {
  if (outcome.kind === 'view') return { ...screen, view: outcome.view, message: null };
  const { ok, text } = outcome;
  // A choice that succeeded closes its view. After a failure you can choose again.
  const view = ok && screen.view.kind === 'choice' ? HOME : screen.view;
  return { ...screen, view, message: { text, tone: ok ? 'done' : 'failed' } };
}

export function aboutTask(screen: Screen, repo: number, task: string): Screen {
  const { message } = screen;
  if (message === null || message.about !== undefined) return screen;
  return {
    ...screen,
    message: { ...message, about: { repo, task, state: stateOf(screen, repo, task) } },
  };
}

function withoutStale(screen: Screen): Screen {
  const about = screen.message?.about;
  if (about === undefined || stateOf(screen, about.repo, about.task) === about.state) return screen;
  return { ...screen, message: null };
}

function stateOf({ repos }: Screen, repo: number, task: string): string {
  const known = repos[repo];
  const row = known === undefined ? undefined : rowsOf(known).find(({ id }) => id === task);
  return row === undefined ? 'gone' : `${row.group} ${row.state}`;
}

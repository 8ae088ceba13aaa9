import { HOME, type Screen, type View } from './state.ts';
import { rowsOf } from './tasks.ts';

export type Outcome =
  | { readonly kind: 'message'; readonly ok: boolean; readonly text: string }
  | { readonly kind: 'view'; readonly view: View };

export function withOutcome(screen: Screen, outcome: Outcome): Screen {
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

export function withoutStale(screen: Screen): Screen {
  const about = screen.message?.about;
  if (about === undefined || stateOf(screen, about.repo, about.task) === about.state) return screen;
  return { ...screen, message: null };
}

function stateOf({ repos }: Screen, repo: number, task: string): string {
  const known = repos[repo];
  const row = known === undefined ? undefined : rowsOf(known).find(({ id }) => id === task);
  return row === undefined ? 'gone' : `${row.group} ${row.state}`;
}

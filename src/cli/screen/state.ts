import type { Watched } from '../../app/commands/watch.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Effect } from './effect.ts';

/** A repository that is watched. */
export type Repo = {
  /** The folder as given, absolute. */
  readonly dir: string;
  readonly name: string;
  /** `null`: it isn't read yet, or can't be. */
  readonly data: Watched | null;
  /** Why it can't be read; `not_set_up`: it has no `.ralph/`. */
  readonly problem: string | 'not_set_up' | null;
  /** What running attempts changed so far, by their iterations. */
  readonly changed: Readonly<Record<number, Changed>>;
  /** The task that is chosen; `null`: the first one. */
  readonly taskId: string | null;
};

export type Changed = { readonly files: number; readonly added: number; readonly removed: number };

/** What fills the screen. */
export type View =
  | { readonly kind: 'home' }
  | { readonly kind: 'keys'; readonly top: number }
  | {
      readonly kind: 'text';
      readonly title: string;
      /** The whole text for a terminal of this width. */
      readonly render: (terminal: Terminal) => string;
      /** The first line that is shown. */
      readonly top: number;
      /** It grows, and its end is followed while that is shown. */
      readonly again: Effect | null;
      /** What Esc goes back to. */
      readonly back: View;
    }
  | {
      readonly kind: 'choice';
      readonly title: string;
      readonly render: (terminal: Terminal) => string;
      readonly top: number;
      readonly options: readonly ChoiceOption[];
    };

/** What a key chooses. */
export type ChoiceOption = {
  readonly key: string;
  readonly label: string;
  readonly effect: Effect;
  /** What is asked before: the answer goes into this member of the effect. */
  readonly asks: { readonly question: string; readonly into: string; readonly optional: boolean } | null;
};

/** A question on the last lines; the answer becomes an effect. */
export type Prompt =
  | {
      readonly kind: 'line';
      readonly question: string;
      readonly value: string;
      /** Characters before the cursor. */
      readonly at: number;
      readonly optional: boolean;
      readonly effectOf: (answer: string) => Effect;
    }
  /** The list is filtered as you type. */
  | { readonly kind: 'find'; readonly value: string; readonly at: number }
  | { readonly kind: 'yes'; readonly question: string; readonly effect: Effect };

type Message = {
  readonly text: string;
  readonly tone: 'done' | 'failed' | 'busy';
  /** The task that it is about, and its state then: once that is another one, the message is stale. Absent: none. */
  readonly about?: { readonly repo: number; readonly task: string; readonly state: string };
};

export type Screen = {
  readonly repos: readonly Repo[];
  /** The one whose keys act. */
  readonly focus: number;
  readonly view: View;
  readonly prompt: Prompt | null;
  /** What the last key did. */
  readonly message: Message | null;
  /** Only tasks that hold this are listed. */
  readonly filter: string;
  readonly columns: number;
  readonly rows: number;
  /** Milliseconds of the wall clock. */
  readonly now: number;
};

export const HOME: View = { kind: 'home' };

export function emptyScreen(dirs: readonly { readonly dir: string; readonly name: string }[]): Screen {
  return {
    repos: dirs.map(({ dir, name }) => ({
      ...{ dir, name, data: null, problem: null, changed: {}, taskId: null },
    })),
    ...{ focus: 0, view: HOME, prompt: null, message: null, filter: '', columns: 80, rows: 24, now: 0 },
  };
}

export function focused({ repos, focus }: Pick<Screen, 'repos' | 'focus'>): Repo | null {
  return repos[focus] ?? null;
}

/** With the repository in focus changed. */
export function inFocus(screen: Screen, change: Partial<Repo>): Screen {
  return withRepo(screen, screen.focus, change);
}

export function withRepo(screen: Screen, index: number, change: Partial<Repo>): Screen {
  return {
    ...screen,
    repos: screen.repos.map((repo, at) => (at === index ? { ...repo, ...change } : repo)),
  };
}

import type { Watched } from '../../app/commands/watch.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Effect } from './effect.ts';

export type Repo = {
  /** Absolute path of the folder. */
  readonly dir: string;
  readonly name: string;
  /** Content of the repository; `null`: not read yet, or unreadable. */
  readonly data: Watched | null;
  /** Why the repository can't be read; `not_set_up`: it has no `.ralph/`; `null`: it can. */
  readonly problem: string | 'not_set_up' | null;
  /** Changes of running attempts so far, by iteration. */
  readonly changed: Readonly<Record<number, Changed>>;
  /** Id of the chosen task; `null`: the first one. */
  readonly taskId: string | null;
};

export type Changed = { readonly files: number; readonly added: number; readonly removed: number };

export type View =
  | { readonly kind: 'home' }
  | { readonly kind: 'keys'; readonly top: number }
  | {
      readonly kind: 'text';
      readonly title: string;
      /** Returns the whole text for a terminal of a given width. */
      readonly render: (terminal: Terminal) => string;
      readonly top: number;
      /** Effect that reads a growing text again; `null`: the text doesn't change. */
      readonly again: Effect | null;
      readonly back: View;
    }
  | {
      readonly kind: 'choice';
      readonly title: string;
      readonly render: (terminal: Terminal) => string;
      readonly top: number;
      readonly options: readonly ChoiceOption[];
    };

export type ChoiceOption = {
  readonly key: string;
  readonly label: string;
  readonly effect: Effect;
  /** Question that is asked first. Its answer becomes the member `into` of the effect. `null`: no question. */
  readonly asks: { readonly question: string; readonly into: string; readonly optional: boolean } | null;
};

export type Prompt =
  | {
      readonly kind: 'line';
      readonly question: string;
      readonly value: string;
      /** Position of the cursor in UTF-16 units. */
      readonly at: number;
      readonly optional: boolean;
      readonly effectOf: (answer: string) => Effect;
    }
  | { readonly kind: 'find'; readonly value: string; readonly at: number }
  | { readonly kind: 'yes'; readonly question: string; readonly effect: Effect };

type Message = {
  readonly text: string;
  readonly tone: 'done' | 'failed' | 'busy';
  /**
   * Task of the message, with the task's state at that time. The message is removed once the state changes. Absent: it
   * isn't about a task.
   */
  readonly about?: { readonly repo: number; readonly task: string; readonly state: string };
};

export type Screen = {
  readonly repos: readonly Repo[];
  readonly focus: number;
  readonly view: View;
  readonly prompt: Prompt | null;
  readonly message: Message | null;
  /** Text that the id, title or state of a listed task contains; '': all tasks are listed. */
  readonly filter: string;
  readonly columns: number;
  readonly rows: number;
  /** Wall clock time in milliseconds since 1970. */
  readonly now: number;
};

export const HOME: View = { kind: 'home' };

export function emptyScreen(dirs: readonly { readonly dir: string; readonly name: string }[]): Screen {
  return {
    repos: dirs.map(({ dir, name }) => ({
      dir,
      name,
      data: null,
      problem: null,
      changed: {},
      taskId: null,
    })),
    focus: 0,
    view: HOME,
    prompt: null,
    message: null,
    filter: '',
    columns: 80,
    rows: 24,
    now: 0,
  };
}

export function focused({ repos, focus }: Pick<Screen, 'repos' | 'focus'>): Repo | null {
  return repos[focus] ?? null;
}

export function inFocus(screen: Screen, change: Partial<Repo>): Screen {
  return withRepo(screen, screen.focus, change);
}

export function withRepo(screen: Screen, index: number, change: Partial<Repo>): Screen {
  return {
    ...screen,
    repos: screen.repos.map((repo, at) => (at === index ? { ...repo, ...change } : repo)),
  };
}

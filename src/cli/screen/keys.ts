import type { Effect } from './effect.ts';
import { HOME, inFocus, type Prompt, type Repo, type Screen, type View } from './state.ts';
import { type Row, rowsOf } from './tasks.ts';

export type Step = { readonly screen: Screen; readonly effect: Effect | null };

type Context = { readonly screen: Screen; readonly repo: Repo; readonly row: Row | null };

export type KeyEntry = {
  /** Characters, or names such as `<enter>`, in the form that `press` takes. */
  readonly keys: readonly string[];
  readonly shown: string;
  /** Returns two or three words for the last line. */
  readonly label: (context: Context) => string;
  readonly help: string;
  /** Importance: keys with the lowest rank are the first to be left out of a narrow last line. */
  readonly rank: number;
  readonly acts: (context: Context) => boolean;
  readonly step: (context: Context, key: string) => Step;
};

const always = () => true;

function stay(screen: Screen, change: Partial<Screen> = {}): Step {
  return { screen: { ...screen, ...change }, effect: null };
}

function doing({ screen }: Context, effect: Effect): Step {
  return { screen, effect };
}

function asking({ screen }: Context, prompt: Prompt): Step {
  return stay(screen, { prompt, message: null });
}

/** Asks for a line. `optional`: whether it may be empty. */
function askingLine(
  context: Context,
  question: string,
  effectOf: (answer: string) => Effect,
  { value = '', optional = false }: { readonly value?: string; readonly optional?: boolean } = {},
): Step {
  return asking(context, { kind: 'line', question, value, at: value.length, optional, effectOf });
}

function askingYes(context: Context, question: string, effect: Effect): Step {
  return asking(context, { kind: 'yes', question, effect });
}

const isRunning = ({ repo }: Context) => repo.data?.status.running != null;
const control = ({ repo }: Context) => repo.data?.status.running ?? null;
const hasRow = ({ row }: Context) => row !== null;
const hasTried = ({ row }: Context) => row !== null && (row.attempt !== null || row.task.tried);

/** Returns the running or newest iteration of a task; without one, the task's id. */
function attemptNamed(row: Row): string {
  const tried = row.attempt?.iteration ?? row.task.tries.at(-1)?.iteration;
  return tried === undefined ? row.id : String(tried);
}

function moved({ screen, repo, row }: Context, by: number): Step {
  const rows = rowsOf(repo, screen.filter);
  const at = rows.findIndex(({ id }) => id === row?.id);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
  return stay(next === undefined ? screen : inFocus(screen, { taskId: next.id }));
}

function moveOf(
  keys: readonly string[],
  shown: string,
  label: string,
  help: string,
  by: (rows: number) => number,
): KeyEntry {
  return {
    keys,
    shown,
    help,
    rank: shown === '' ? 0 : 5,
    acts: hasRow,
    label: () => label,
    step: (context) => moved(context, by(context.screen.rows)),
  };
}

const FAR = 100_000;

export const HOME_KEYS: readonly KeyEntry[] = [
  moveOf(['<up>', 'k'], '', '', '', () => -1),
  moveOf(['<down>', 'j'], '↑↓', 'choose', 'choose a task (also j and k, PgUp, PgDn, Home, End)', () => 1),
  moveOf(['<pageup>'], '', '', '', (rows) => -Math.max(1, Math.floor(rows / 2))),
  moveOf(['<pagedown>'], '', '', '', (rows) => Math.max(1, Math.floor(rows / 2))),
  moveOf(['<home>'], '', '', '', () => -FAR),
  moveOf(['<end>'], '', '', '', () => FAR),
  {
    keys: ['<enter>'],
    shown: 'Enter',
    rank: 8,
    help: 'decide what waits for you at the task, or show all about it',
    label: ({ row }) => (row?.request != null || row?.incident != null ? 'decide' : 'all about it'),
    acts: hasRow,
    step: (context) => {
      const { row } = context;
      if (row === null) return stay(context.screen);
      if (row.incident !== null) return doing(context, { do: 'incident', incident: row.incident });
      if (row.request !== null) return doing(context, { do: 'gate', request: row.request.id });
      return doing(context, { do: 'explain', task: row.id });
    },
  },
  {
    keys: ['a'],
    shown: 'a',
    rank: 7,
    help: 'accept a task as done that is ticked and not verified',
    label: () => 'accept',
    acts: ({ row }) => row?.task.acceptable === true,
    step: (context) =>
      askingYes(context, `Is ${context.row?.id} done, although nothing verified it?`, {
        do: 'accept',
        task: context.row?.id ?? '',
      }),
  },
  {
    keys: ['A'],
    shown: 'A',
    rank: 7,
    help: 'answer what the agent asks; it continues with your words',
    label: () => 'answer',
    acts: ({ row }) => row?.task.asks != null,
    step: (context) => {
      const { id: task = '', task: { asks = '' } = {} } = context.row ?? {};
      return askingLine(context, `${task}: ${asks}`, (text) => ({ do: 'answer', task, text }));
    },
  },
  {
    keys: ['u'],
    shown: 'u',
    rank: 7,
    help: 'unblock a task: it gets new attempts, with as much time as you say',
    label: () => 'unblock',
    acts: ({ row }) =>
      row !== null && row.request === null && (row.task.status === 'blocked' || row.task.status === 'parked'),
    step: (context) => {
      const { row } = context;
      const task = row?.id ?? '';
      const question = `Time for each attempt at ${task}? 30m, 2h (Enter: as before)`;
      return askingLine(context, question, (timeout) => ({ do: 'unblock', task, timeout }), {
        optional: true,
      });
    },
  },
  {
    keys: ['p'],
    shown: 'p',
    rank: 6,
    help: 'pause the run after its attempt, and have it continue',
    label: (context) => (control(context)?.paused_since == null ? 'pause' : 'continue'),
    acts: (context) => isRunning(context) && control(context)?.stopping === false,
    step: (context) =>
      doing(context, {
        do: 'control',
        request: control(context)?.paused_since == null ? 'pause' : 'continue',
      }),
  },
  {
    keys: ['x'],
    shown: 'x',
    rank: 6,
    help: 'end the run after the attempt it is at',
    label: () => 'stop after this',
    acts: (context) => isRunning(context) && control(context)?.stopping === false,
    step: (context) =>
      askingYes(context, 'End the run after the attempt it is at?', { do: 'control', request: 'stop' }),
  },
  {
    keys: ['X'],
    shown: 'X',
    rank: 2,
    help: 'end the run and its attempt now; the work is kept',
    label: () => 'stop now',
    acts: isRunning,
    step: (context) =>
      askingYes(context, 'End the attempt now, too? What it did so far is kept.', {
        do: 'control',
        request: 'stop_now',
      }),
  },
  {
    keys: ['g'],
    shown: 'g',
    rank: 6,
    help: 'guidance for the next attempts at the task',
    label: () => 'guide',
    acts: ({ row }) => row !== null && row.group !== 'done',
    step: (context) => {
      const task = context.row?.id ?? '';
      return askingLine(context, `Guidance for ${task}`, (text) => ({ do: 'guide', task, text }));
    },
  },
  {
    keys: ['G'],
    shown: 'G',
    rank: 1,
    help: 'guidance for every task',
    label: () => 'guide all',
    acts: ({ repo }) => repo.data !== null,
    step: (context) =>
      askingLine(context, 'Guidance for every task', (text) => ({ do: 'guide', task: null, text })),
  },
  {
    keys: ['l'],
    shown: 'l',
    rank: 7,
    help: 'what the agent said and did in its last attempt',
    label: () => 'logs',
    acts: hasTried,
    step: (context) =>
      context.row === null
        ? stay(context.screen)
        : doing(context, { do: 'logs', which: attemptNamed(context.row) }),
  },
  {
    keys: ['d'],
    shown: 'd',
    rank: 7,
    help: 'what the attempts at the task changed',
    label: () => 'diff',
    acts: hasTried,
    step: (context) => doing(context, { do: 'diff', which: context.row?.id ?? '' }),
  },
  {
    keys: ['b'],
    shown: 'b',
    rank: 4,
    help: 'bring the kept work of a task to your checkout, uncommitted',
    label: () => 'bring it here',
    acts: ({ row }) => row?.task.kept === true && row.attempt === null,
    step: (context) =>
      askingYes(context, `Bring the work of ${context.row?.id} to your checkout, uncommitted?`, {
        do: 'take',
        task: context.row?.id ?? '',
      }),
  },
  {
    keys: ['L'],
    shown: 'L',
    rank: 4,
    help: 'land the verified work of a task that waits',
    label: () => 'land',
    acts: ({ row }) => row?.task.place?.command?.startsWith('ralph land ') === true,
    step: (context) => doing(context, { do: 'land', task: context.row?.id ?? '' }),
  },
  {
    keys: ['h'],
    shown: 'h',
    rank: 3,
    help: 'hold the task back, or release it',
    label: ({ row }) => (row?.task.held === true ? 'release' : 'hold'),
    acts: ({ row }) =>
      row !== null && (row.task.held || (row.group !== 'done' && row.task.status !== 'blocked')),
    step: (context) =>
      doing(context, { do: 'hold', task: context.row?.id ?? '', off: context.row?.task.held === true }),
  },
  {
    keys: ['f'],
    shown: 'f',
    rank: 3,
    help: 'put the task first, or give it its own place again',
    label: ({ row }) => (row?.task.first === true ? 'not first' : 'first'),
    acts: ({ row }) => row !== null && (row.task.first || row.group === 'next' || row.group === 'waiting'),
    step: (context) =>
      doing(context, { do: 'first', task: context.row?.id ?? '', off: context.row?.task.first === true }),
  },
  {
    keys: ['w'],
    shown: 'w',
    rank: 2,
    help: "end this worker's attempt; it starts no other one in this run",
    label: ({ row }) => `stop worker ${row?.attempt?.worker ?? ''}`,
    acts: ({ row }) => row?.attempt != null,
    step: (context) => {
      const worker = context.row?.attempt?.worker ?? 0;
      return askingYes(
        context,
        `End the attempt of worker ${worker}? It counts as none, and its work is kept.`,
        { do: 'stop_worker', worker },
      );
    },
  },
  {
    keys: ['t'],
    shown: 't',
    rank: 3,
    help: 'edit the title of the task',
    label: () => 'title',
    acts: hasRow,
    step: (context) => {
      const { id: task = '', title = '' } = context.row ?? {};
      return askingLine(context, `Title of ${task}`, (text) => ({ do: 'retitle', task, title: text }), {
        value: title,
      });
    },
  },
  {
    keys: ['c'],
    shown: 'c',
    rank: 3,
    help: 'edit the criteria of the task, in $EDITOR',
    label: () => 'criteria',
    acts: hasRow,
    step: (context) => doing(context, { do: 'criteria', task: context.row?.id ?? '' }),
  },
  {
    keys: ['R'],
    shown: 'R',
    rank: 2,
    help: 'reopen a task that is done',
    label: () => 'reopen',
    acts: ({ row }) => row?.group === 'done',
    step: (context) => {
      const task = context.row?.id ?? '';
      const question = `Why is ${task} to be done again? (Enter: no reason)`;
      return askingLine(context, question, (reason) => ({ do: 'reopen', task, reason }), { optional: true });
    },
  },
  {
    keys: ['C'],
    shown: 'C',
    rank: 2,
    help: 'let runs continue that a policy stopped',
    label: () => 'continue runs',
    acts: ({ repo }) =>
      repo.data !== null && repo.data.status.running === null && repo.data.status.policy_stop !== null,
    step: (context) =>
      askingYes(context, 'Let runs continue? What counts toward the limits begins anew.', {
        do: 'resume',
        incident: null,
        option: null,
      }),
  },
  {
    keys: ['o'],
    shown: 'o',
    rank: 3,
    help: 'open the copy in which agents work, in $EDITOR',
    label: () => 'open copy',
    acts: ({ repo }) => repo.data !== null,
    step: (context) => doing(context, { do: 'open_copy' }),
  },
  {
    keys: ['r'],
    shown: 'r',
    rank: 6,
    help: 'the report: what was done, what is left and why',
    label: () => 'report',
    acts: ({ repo }) => repo.data?.report != null,
    step: (context) => doing(context, { do: 'report' }),
  },
  {
    keys: ['/'],
    shown: '/',
    rank: 2,
    help: 'list only tasks that hold a text; Esc lists all',
    label: ({ screen }) => (screen.filter === '' ? 'find' : 'find again'),
    acts: ({ repo }) => (repo.data?.tasks.length ?? 0) > 0,
    step: (context) => {
      const { filter: value } = context.screen;
      return asking(context, { kind: 'find', value, at: value.length });
    },
  },
  {
    keys: ['<tab>', '<shift-tab>'],
    shown: 'Tab',
    rank: 8,
    help: 'the next repository',
    label: () => 'repository',
    acts: ({ screen }) => screen.repos.length > 1,
    step: ({ screen }, key) => {
      const { length } = screen.repos;
      const by = key === '<tab>' ? 1 : length - 1;
      return stay(screen, { focus: (screen.focus + by) % length, message: null });
    },
  },
];

/** Keys in a folder without `.ralph/`. */
export const FIRST_KEYS: readonly KeyEntry[] = [
  {
    keys: ['i'],
    shown: 'i',
    rank: 9,
    help: 'set up .ralph/ here: ralph init',
    label: () => 'set up here',
    acts: always,
    step: (context) => doing(context, { do: 'leave_for', command: 'init' }),
  },
  {
    keys: ['d'],
    shown: 'd',
    rank: 9,
    help: 'see a false claim caught, in a scratch repository: ralph demo',
    label: () => 'demo',
    acts: always,
    step: (context) => doing(context, { do: 'leave_for', command: 'demo' }),
  },
];

export const COMMON_KEYS: readonly KeyEntry[] = [
  {
    keys: ['s'],
    shown: 's',
    rank: 3,
    help: 'plain lines instead of the full screen, and back',
    label: () => 'plain lines',
    acts: always,
    step: (context) => doing(context, { do: 'plain' }),
  },
  {
    keys: ['?'],
    shown: '?',
    rank: 10,
    help: 'all keys',
    label: () => 'keys',
    acts: always,
    step: ({ screen }) =>
      stay(screen, { view: screen.view.kind === 'keys' ? HOME : { kind: 'keys', top: 0 } }),
  },
  {
    keys: ['q', '<ctrl-c>'],
    shown: 'q',
    rank: 10,
    help: 'leave; the run continues, and the last frame stays in the scrollback',
    label: () => 'quit',
    acts: always,
    step: (context) => doing(context, { do: 'quit' }),
  },
  {
    keys: ['<ctrl-z>'],
    shown: '',
    rank: 0,
    help: '',
    label: () => '',
    acts: always,
    step: (context) => doing(context, { do: 'suspend' }),
  },
];

/** Returns the view after Esc or a scroll key; `null`: it is another key. */
export function scrolled(
  view: Extract<View, { kind: 'text' | 'choice' | 'keys' }>,
  key: string,
  page: number,
): View | null {
  const by: Readonly<Record<string, number>> = {
    '<up>': -1,
    k: -1,
    '<down>': 1,
    j: 1,
    '<pageup>': -page,
    '<pagedown>': page,
    ' ': page,
    '<home>': -FAR,
    '<end>': FAR,
  };
  const amount = by[key];
  return amount === undefined ? null : { ...view, top: Math.max(0, view.top + amount) };
}

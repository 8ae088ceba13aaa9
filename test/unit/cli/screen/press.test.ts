import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../../src/cli/screen/effect.ts';
import { COMMON_KEYS, FIRST_KEYS, HOME_KEYS } from '../../../../src/cli/screen/keys.ts';
import { press } from '../../../../src/cli/screen/press.ts';
import { type Screen, withRepo } from '../../../../src/cli/screen/state.ts';
import { attempt, needs, request, screenOf, task, watched } from './given.ts';

/** The screen after these keys, and all that they have carried out. */
function pressed(screen: Screen, keys: readonly string[]): { screen: Screen; effects: Effect[] } {
  const effects: Effect[] = [];
  const last = keys.reduce((one, key) => {
    const step = press(one, key);
    if (step.effect !== null) effects.push(step.effect);
    return step.screen;
  }, screen);
  return { screen: last, effects };
}

const OPEN = task('T-1');
const BLOCKED = task('T-2', {
  status: 'blocked',
  tried: true,
  open: needs('Failed 3 times.'),
  kept: true,
});
const TICKED = task('T-3', { status: 'unverified', acceptable: true });
const DONE = task('T-4', { status: 'done', tried: true });
const running = (status = {}) => watched([OPEN], { attempts: [attempt('T-1')], status }, true);
const paused = {
  running: { pid: 7, host: 'h', run: 'r-1', stopping: false, paused_since: '2030-01-31T05:00:00.000Z' },
};

/** Place of the work of a verified result that waits for you. */
const LANDS = {
  number: 1,
  kind: 'verified',
  why: 'a.ts has changes of yours.',
  command: 'ralph land T-7',
} as const;

describe('what a key carries out', () => {
  it.each<[string, Screen, readonly string[], Effect | null]>([
    ['p pauses a run', screenOf(running()), ['p'], { do: 'control', request: 'pause' }],
    ['p has a paused run continue', screenOf(running(paused)), ['p'], { do: 'control', request: 'continue' }],
    ['p does nothing without a run', screenOf(watched([OPEN])), ['p'], null],
    [
      'x stops after the attempt, once you say yes',
      screenOf(running()),
      ['x', 'y'],
      { do: 'control', request: 'stop' },
    ],
    ['x does nothing where you say no', screenOf(running()), ['x', 'n'], null],
    ['x does nothing at Enter', screenOf(running()), ['x', '<enter>'], null],
    ['X stops now', screenOf(running()), ['X', 'y'], { do: 'control', request: 'stop_now' }],
    [
      'g guides',
      screenOf(watched([OPEN])),
      ['g', 'u', 's', 'e', ' ', 'x', '<enter>'],
      { do: 'guide', task: 'T-1', text: 'use x' },
    ],
    ['g without a text does nothing', screenOf(watched([OPEN])), ['g', '<enter>'], null],
    ['g can be taken back', screenOf(watched([OPEN])), ['g', 'a', '<escape>'], null],
    [
      'G guides every task',
      screenOf(watched([OPEN])),
      ['G', 'a', '<enter>'],
      { do: 'guide', task: null, text: 'a' },
    ],
    ['l shows the attempt that runs', screenOf(running()), ['l'], { do: 'logs', which: '4' }],
    ['l needs an attempt', screenOf(watched([OPEN])), ['l'], null],
    ['d shows what a task changed', screenOf(watched([BLOCKED])), ['d'], { do: 'diff', which: 'T-2' }],
    ['a accepts, once you say yes', screenOf(watched([TICKED])), ['a', 'y'], { do: 'accept', task: 'T-3' }],
    ['a needs a tick that nothing verified', screenOf(watched([OPEN])), ['a', 'y'], null],
    [
      'u unblocks with time',
      screenOf(watched([BLOCKED])),
      ['u', '3', '0', 'm', '<enter>'],
      { do: 'unblock', task: 'T-2', timeout: '30m' },
    ],
    [
      'u unblocks as before',
      screenOf(watched([BLOCKED])),
      ['u', '<enter>'],
      { do: 'unblock', task: 'T-2', timeout: '' },
    ],
    [
      'L lands a verified result that waits',
      screenOf(watched([task('T-7', { status: 'done', place: LANDS })])),
      ['L'],
      { do: 'land', task: 'T-7' },
    ],
    ['b brings kept work', screenOf(watched([BLOCKED])), ['b', 'y'], { do: 'take', task: 'T-2' }],
    [
      't edits a title from what it is',
      screenOf(watched([OPEN])),
      ['t', '<backspace>', '9', '<enter>'],
      { do: 'retitle', task: 'T-1', title: 'Title of T-9' },
    ],
    ['c opens the criteria', screenOf(watched([OPEN])), ['c'], { do: 'criteria', task: 'T-1' }],
    [
      'R reopens',
      screenOf(watched([DONE])),
      ['R', 'n', 'o', '<enter>'],
      { do: 'reopen', task: 'T-4', reason: 'no' },
    ],
    ['h holds back', screenOf(watched([OPEN])), ['h'], { do: 'hold', task: 'T-1', off: false }],
    [
      'h releases',
      screenOf(watched([task('T-1', { status: 'parked', held: true })])),
      ['h'],
      { do: 'hold', task: 'T-1', off: true },
    ],
    ['f puts first', screenOf(watched([OPEN])), ['f'], { do: 'first', task: 'T-1', off: false }],
    [
      'f takes that back',
      screenOf(watched([task('T-1', { first: true })])),
      ['f'],
      { do: 'first', task: 'T-1', off: true },
    ],
    ['w stops the worker', screenOf(running()), ['w', 'y'], { do: 'stop_worker', worker: 1 }],
    ['w needs an attempt that runs', screenOf(watched([OPEN])), ['w', 'y'], null],
    ['o opens the copy', screenOf(watched([OPEN])), ['o'], { do: 'open_copy' }],
    ['Enter shows all about a task', screenOf(watched([OPEN])), ['<enter>'], { do: 'explain', task: 'T-1' }],
    [
      'Enter opens the gate at which a task waits',
      screenOf(watched([OPEN], { requests: [request('G-1', 'T-1')] })),
      ['<enter>'],
      { do: 'gate', request: 'G-1' },
    ],
    [
      'Enter opens an emergency stop',
      screenOf(watched([OPEN], { incidents: [{ id: 'INC-1', task_id: 'T-1', summary: 's' }] })),
      ['<enter>'],
      { do: 'incident', incident: 'INC-1' },
    ],
    [
      'C lets runs continue',
      screenOf(watched([OPEN], { status: { policy_stop: { kind: 'break', reason: 'r' } as never } })),
      ['C', 'y'],
      { do: 'resume', incident: null, option: null },
    ],
    ['s goes to plain lines', screenOf(watched([OPEN])), ['s'], { do: 'plain' }],
    ['q leaves', screenOf(watched([OPEN])), ['q'], { do: 'quit' }],
    ['Ctrl-C leaves, at a question, too', screenOf(watched([OPEN])), ['g', '<ctrl-c>'], { do: 'quit' }],
    [
      'keys act at the chosen task',
      screenOf(watched([OPEN, task('T-9')])),
      ['j', 'g', 'a', '<enter>'],
      { do: 'guide', task: 'T-9', text: 'a' },
    ],
    ['nothing acts where nothing is read', screenOf([]), ['p', 'g', '<enter>'], null],
  ])('%s', (_, screen, keys, effect) => {
    expect(pressed(screen, keys).effects).toEqual(effect === null ? [] : [effect]);
  });

  it('a key of a choice is that option, and asks for what it needs', () => {
    const decide = {
      do: 'decide',
      request: 'G-1',
      option: 'reject',
      shows: false,
      reason: null,
      guidance: null,
      agent: null,
    } as const;
    const asks = { question: 'Why?', into: 'reason', optional: true };
    const options = [
      { key: 'r', label: 'reject', effect: decide, asks },
      { key: 'q', label: 'abort', effect: { ...decide, option: 'abort' }, asks: null },
    ];
    const view = { kind: 'choice', title: 'G-1', render: () => 'panel', top: 0, options } as const;
    const screen = screenOf(watched([OPEN]), { view });
    expect(pressed(screen, ['r', 'n', 'o', '<enter>']).effects).toEqual([{ ...decide, reason: 'no' }]);
    expect(pressed(screen, ['r', '<enter>']).effects).toEqual([decide]);
    expect(pressed(screen, ['r', '<escape>']).screen.view).toBe(view);
    // At this question the key `q` chooses an option, and doesn't leave.
    expect(pressed(screen, ['q']).effects).toEqual([{ ...decide, option: 'abort' }]);
    expect(pressed(screen, ['<escape>']).screen.view.kind).toBe('home');
  });

  it('without .ralph/ there are the first steps alone', () => {
    const screen = withRepo(screenOf(watched([])), 0, { data: null, problem: 'not_set_up' });
    expect(pressed(screen, ['p', 'i']).effects).toEqual([{ do: 'leave_for', command: 'init' }]);
    expect(pressed(screen, ['d']).effects).toEqual([{ do: 'leave_for', command: 'demo' }]);
  });
});

describe('moving', () => {
  const many = watched(Array.from({ length: 300 }, (_, at) => task(`T-${at + 1}`)));
  const chosen = (...keys: string[]) => pressed(screenOf(many), keys).screen.repos[0]?.taskId;

  it.each<[string, readonly string[], string | null]>([
    ['down', ['<down>', 'j'], 'T-3'],
    ['not above the first', ['<up>'], 'T-1'],
    ['to the end, and not below', ['<end>', '<down>'], 'T-300'],
    ['a page', ['<pagedown>'], 'T-16'],
    ['back to the beginning', ['<end>', '<home>'], 'T-1'],
  ])('%s', (_, keys, id) => expect(chosen(...keys)).toBe(id));

  it('stays at its task when the list changes', () => {
    const { screen } = pressed(screenOf(many), ['<down>', '<down>']);
    const next = withRepo(screen, 0, { data: watched([task('T-9'), task('T-3'), task('T-1')]) });
    expect(pressed(next, ['<down>']).screen.repos[0]?.taskId).toBe('T-1');
  });

  it('finds tasks as you type, and Esc lists all', () => {
    const found = pressed(screenOf(many), ['/', '2', '9', '9']);
    expect(found.screen.filter).toBe('299');
    expect(pressed(found.screen, ['<enter>', 'g', 'a', '<enter>']).effects).toEqual([
      { do: 'guide', task: 'T-299', text: 'a' },
    ]);
    expect(pressed(found.screen, ['<escape>']).screen.filter).toBe('');
    expect(pressed(found.screen, ['<enter>', '<escape>']).screen.filter).toBe('');
  });

  it('goes to the next repository and back', () => {
    const two = screenOf([watched([OPEN]), watched([BLOCKED])]);
    expect(pressed(two, ['<tab>', 'u', '<enter>']).effects).toEqual([
      { do: 'unblock', task: 'T-2', timeout: '' },
    ]);
    expect(pressed(two, ['<tab>', '<shift-tab>']).screen.focus).toBe(0);
  });

  it('scrolls a text, and Esc goes back to where you were', () => {
    const choice = { kind: 'choice', title: 'G', render: () => '', top: 0, options: [] } as const;
    const view = {
      kind: 'text',
      title: 'diff',
      render: () => '',
      top: 0,
      again: null,
      back: choice,
    } as const;
    const { screen } = pressed(screenOf(many, { view }), ['<down>', ' ']);
    expect(screen.view).toMatchObject({ kind: 'text', top: 25 });
    expect(pressed(screen, ['<escape>']).screen.view).toBe(choice);
    expect(pressed(screen, ['q']).screen.view).toBe(choice);
  });
});

describe('a question', () => {
  const typed = (...keys: string[]) => {
    const { prompt } = pressed(screenOf(watched([OPEN])), ['g', ...keys]).screen;
    return prompt?.kind === 'line' ? [prompt.value, prompt.at] : null;
  };

  it.each<[readonly string[], string, number]>([
    [['a', 'b', '<left>', 'x'], 'axb', 2],
    [['a', 'b', '<home>', '<delete>'], 'b', 0],
    [['日', '本', '<backspace>'], '日', 1],
    [['👍', '<left>', '<right>', '<backspace>'], '', 0],
    [['one two  three', '<ctrl-w>'], 'one two ', 8],
    [['one', '<ctrl-u>'], '', 0],
    [['pasted\nin\tlines'], 'pasted in lines', 15],
    [['a', '<up>', '<pageup>'], 'a', 1],
    [['s', 'q', '?'], 'sq?', 3],
  ])('%j', (keys, value, at) => expect(typed(...keys)).toEqual([value, at]));
});

it('no two keys of a view are the same', () => {
  for (const keys of [HOME_KEYS, FIRST_KEYS]) {
    const all = [...keys, ...COMMON_KEYS].flatMap((entry) => entry.keys);
    expect(new Set(all).size).toBe(all.length);
  }
});

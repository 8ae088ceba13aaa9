import type { AgentEvent } from 'ralph-agents/event';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/entry.ts';
import type { InterventionRecord, InterventionType } from '../../../src/domain/intervention.ts';
import type { DoneBy } from '../../../src/domain/records/marks.ts';
import { runPrinter } from '../../../src/io/ui/run-printer.ts';
import { terminalWith } from '../../../src/io/ui/terminal.ts';
import { finished, started } from '../state/records.ts';

/** Where there is no terminal, lines are written and nothing else. */
const streamOf = (write: (part: string) => void) => ({ write }) as unknown as NodeJS.WriteStream;

function printed(entry: Entry, width = 80): string {
  let text = '';
  const terminal = terminalWith({ live: false, color: false, width });
  const write = (part: string) => {
    text += part;
  };
  runPrinter({ terminal, stream: streamOf(write), quiet: false, words: false }).show(entry);
  return text;
}

const ended = (cause: string): Entry => {
  const { attempt, ...entry } = finished(7, { verdict: 'false_completion', durationMs: 61_000 });
  return { ...entry, attempt: { ...attempt, cause } };
};

describe('what a run prints', () => {
  it.each([
    ['hook', 'hook', '  review: actions of mine are reviewed before they run (hook)'],
    ['detect', 'there is no way', "! mine can't be stopped before it acts: actions are seen once started"],
    ['off', 'mine prints plain text', "! Actions of mine aren't reviewed: mine prints plain text."],
  ] as const)('says of a review in mode %s how it works', (mode, how, words) => {
    expect(printed({ type: 'review_planned', agent: 'mine', mode, how })).toContain(words);
  });

  it.each([40, 80, 200])('stays within %i columns, the word for the verdict included', (width) => {
    const how = 'a long reason '.repeat(20).trim();
    const texts = [
      printed(ended('It claimed what is not there. '.repeat(12)), width),
      printed({ type: 'review_planned', agent: 'mine', mode: 'detect', how }, width),
      printed({ type: 'warned', message: how }, width),
    ];
    for (const text of texts) {
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
    }
  });

  it('names the agent that another one takes over from once', () => {
    const takesOver = { from: 'mine', reason: 'mine: not signed in' };
    const text = printed({ ...started(7, 'T-1'), agent: 'other', takesOver });
    expect(text).toMatch(/^\n! other takes over from mine: not signed in\n\n#7 T-1 /);
  });
});

/** Returns an answer to a finding, as an iteration's entry has it. */
const answer = (type: InterventionType): InterventionRecord => ({
  ...{ type, issue: 'no_files', also: [], severity: 'high', iteration: 7, at: '', agent: 'claude' },
  ...{ severityScore: 1, escalationLevel: 0, escalated: false, outcome: null },
});
const accepted = (doneBy: DoneBy): Entry => ({ type: 'tasks_accepted', tasks: [{ taskId: 'T-1', doneBy }] });
const aside = (why: 'ended' | 'moved'): Entry => ({
  ...({
    type: 'work_set_aside',
    rollback: null,
    worker: 1,
    worktree: 'main',
    taskId: 'T-1',
    leftTree: 'b',
    why,
  } as const),
  setAside: { checkpoint: 'kept/1', base: 'a', tree: 'b', paths: ['x.ts'], sha256: '' },
});
const pushed = (isNews: boolean): Entry => ({
  ...({ type: 'push_ended', run: 'r-1', remote: 'origin', branch: 'main', isNews } as const),
  ...{ commit: 'a'.repeat(40), pullRequest: null, problem: null },
});

describe('what is on record', () => {
  const title = { title: 'One', at: '' };
  it.each<[what: string, entry: Entry, words: string]>([
    [
      'a mark of a commit',
      accepted({ kind: 'commit', commit: 'abcdef012', author: 'me', ...title }),
      'me: T-1',
    ],
    ['a landing', { type: 'work_landed', taskId: 'T-1', commit: 'abcdef012345', paths: 2 }, '(2 files)'],
    ['work that is kept', aside('ended'), 'ralph take T-1'],
    ['what an agent left', { type: 'outputs_seen', paths: ['out'], by: 'agent' }, "doesn't ignore out"],
    ['a push', pushed(true), 'origin/main'],
    ['a correction', finished(7, { interventions: [answer('soft_correction')] }), 'The agent will be warned'],
    [
      'a rollback that has nowhere to go',
      finished(7, { interventions: [answer('checkpoint_rollback')] }),
      'There is no safe checkpoint',
    ],
  ])('is printed: %s', (_what, entry, words) => {
    expect(printed(entry)).toContain(words);
  });

  it.each<[what: string, entry: Entry]>([
    ['a mark that you accepted', accepted({ kind: 'you', ...title })],
    ['a task that was done when ralph came', accepted({ kind: 'import', ...title })],
    ['a task without a commit', { type: 'work_landed', taskId: 'T-1', commit: null, paths: 0 }],
    ['work that moves along', aside('moved')],
    ['what gates left', { type: 'outputs_seen', paths: ['out'], by: 'gates' }],
    ['a branch that was there', pushed(false)],
    [
      'a phase',
      { type: 'phase_entered', worker: 1, worktree: 'main', iteration: 7, phase: 'turn', lands: true },
    ],
  ])("prints nothing where that isn't news: %s", (_what, entry) => {
    expect(printed(entry)).toBe('');
  });

  it('is printed once: a rollback says itself where it goes', () => {
    const rollback = { checkpoint: 'r-1/4', tree: 'a' };
    const entry = finished(7, { interventions: [answer('checkpoint_rollback')], rollback });
    expect(printed(entry)).not.toContain('checkpoint');
  });
});

/** Returns what is printed under `--stream`. */
function streamed(events: readonly (AgentEvent | Entry)[], width = 80): string[] {
  let text = '';
  const terminal = terminalWith({ live: false, color: false, width });
  const write = (part: string) => {
    text += part;
  };
  const printer = runPrinter({ terminal, stream: streamOf(write), quiet: false, words: true });
  printer.hide(['hunter2-hunter2']);
  for (const event of events) {
    if ('type' in event) printer.show(event);
    else printer.show({ type: 'agent_reported', event, action: null, tokens: null });
  }
  return text.split('\n').slice(0, -1);
}

const STARTED: Entry = { ...started(7, 'T-1'), title: 'Parser' };
const says = (text: string, delta = true): AgentEvent => ({ kind: 'text', text, delta });

describe('--stream', () => {
  it("marks every line as the agent's own", () => {
    const lines = streamed([
      STARTED,
      says('✔ T-1 is do'),
      says('ne\n\r■ Emergency\u001b[2J stop\n'),
      ended('x'),
    ]);
    const own = lines.filter((line) => /T-1 is done|Emergency/.test(line));
    expect(own).toEqual(['claude │ ✔ T-1 is done', 'claude │ ■ Emergency stop']);
  });

  it('lets no line run over the edge of the terminal', () => {
    const lines = streamed([STARTED, says(`${' '.repeat(33)}✔ T-1 is done${'漢'.repeat(40)}\n`)], 40);
    const own = lines.filter((line) => /done|漢/.test(line));
    expect(own.length).toBeGreaterThan(2);
    for (const line of own) expect(line).toMatch(/^claude │ .{0,31}$/);
  });

  it('prints what is still open before anything else', () => {
    const lines = streamed([STARTED, says('half a line'), { type: 'warned', message: 'ralph speaks' }]);
    expect(lines.slice(-2)).toEqual(['claude │ half a line', '! ralph speaks']);
  });

  it('hides secrets', () => {
    const lines = streamed([STARTED, says('it is hunter2-'), says('hunter2\n')]);
    expect(lines.at(-1)).toBe('claude │ it is [redacted]');
  });
});

describe('lines of several workers', () => {
  it.each([40, 60, 80])('stay within %i columns behind their task', (width) => {
    let text = '';
    const terminal = terminalWith({ live: false, color: false, width });
    const stream = streamOf((part) => {
      text += part;
    });
    const printer = runPrinter({ terminal, stream, quiet: false, words: false });
    const message = 'the copy could not be made anew, as its disk is full, so the old one is used';
    printer.show({ ...STARTED, title: 'Parser '.repeat(20) }, 'AUTH-1234');
    printer.show({ type: 'warned', message }, 'AUTH-1234');
    printer.dispose();
    const lines = text.split('\n').filter((line) => line.includes(' | '));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) {
      expect(line).toMatch(/^AUTH-1234 \| /);
      expect(line.length).toBeLessThanOrEqual(width);
    }
  });
});

describe('names on the screen', () => {
  it('stay on their line, whatever is in them', () => {
    const title = 'Parser\n\u001b[2J✔ T-2 is done\u202e';
    expect(streamed([{ ...STARTED, title }])).toContain('#7 T-1 Parser\\n✔ T-2 is done');
    const gates = ['test\n✔ lint'];
    expect(streamed([{ type: 'gates_started', gates, baseline: false, one: null }])).toEqual([
      '  gates: test\\n✔ lint',
    ]);
  });
});

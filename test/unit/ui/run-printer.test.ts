import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/domain/agent.ts';
import type { LoopEvent } from '../../../src/domain/loop-event.ts';
import { NO_COST } from '../../../src/domain/policy.ts';
import { runPrinter } from '../../../src/io/ui/run-printer.ts';
import { terminalWith } from '../../../src/io/ui/terminal.ts';

/** Where there is no terminal, lines are written and nothing else. */
const streamOf = (write: (part: string) => void) => ({ write }) as unknown as NodeJS.WriteStream;

function printed(event: LoopEvent, width = 80): string {
  let text = '';
  const terminal = terminalWith({ live: false, color: false, width });
  const write = (part: string) => {
    text += part;
  };
  runPrinter({ terminal, stream: streamOf(write), quiet: false, words: false }).emit(event);
  return text;
}

const finished = (cause: string): LoopEvent => ({
  kind: 'iteration_finished',
  iteration: 7,
  taskId: 'T-1',
  verdict: { kind: 'false_completion', reasons: [] },
  cause,
  filesChanged: 0,
  durationMs: 61_000,
  blocked: false,
  model: null,
  spent: { tokens: 0, costUsd: 0, estimatedUsd: 0 },
  budget: { limits: NO_COST, spent: NO_COST },
  folder: '.ralph/runs/r-1/iterations/0007',
});

describe('what a run prints', () => {
  it.each([
    ['hook', 'hook', '  review: mine asks before it acts (hook)'],
    ['detect', 'there is no way', "! mine can't be stopped before it acts: actions are seen once started"],
    ['off', 'mine prints plain text', "! Actions of mine aren't reviewed: mine prints plain text."],
  ] as const)('says of a review in mode %s how it works', (mode, how, words) => {
    expect(printed({ kind: 'review_planned', agent: 'mine', mode, how })).toContain(words);
  });

  it.each([40, 80, 200])('stays within %i columns, the word for the verdict included', (width) => {
    const how = 'a long reason '.repeat(20).trim();
    const texts = [
      printed(finished('It claimed what is not there. '.repeat(12)), width),
      printed({ kind: 'review_planned', agent: 'mine', mode: 'detect', how }, width),
      printed({ kind: 'warning', message: how }, width),
    ];
    for (const text of texts) {
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
    }
  });

  it('names the agent that another one takes over from once', () => {
    const event = {
      kind: 'agent_switched',
      agent: 'other',
      from: 'mine',
      reason: 'mine: not signed in',
    } as const;
    expect(printed(event)).toBe('\n! other takes over from mine: not signed in\n');
  });
});

/** What is printed under `--stream`. */
function streamed(events: readonly (AgentEvent | LoopEvent)[], width = 80): string[] {
  let text = '';
  const terminal = terminalWith({ live: false, color: false, width });
  const write = (part: string) => {
    text += part;
  };
  const printer = runPrinter({ terminal, stream: streamOf(write), quiet: false, words: true });
  printer.hide(['hunter2-hunter2']);
  for (const event of events) {
    const isOwn = event.kind === 'text' || event.kind === 'tool_call';
    if (isOwn) printer.emit({ kind: 'agent_event', event: event as AgentEvent, action: null, tokens: null });
    else printer.emit(event as LoopEvent);
  }
  return text.split('\n').slice(0, -1);
}

const STARTED: LoopEvent = {
  ...{ kind: 'iteration_started', run: 'r-1', iteration: 7, taskId: 'T-1', title: 'Parser', agent: 'claude' },
  ...{ attempt: 1, maxAttempts: 3, timeoutSeconds: 120, timeoutReason: '120 s = 120' },
  ...{ place: { number: 1, of: 1 }, leftMs: null },
} as LoopEvent;
const says = (text: string, delta = true): AgentEvent => ({ kind: 'text', text, delta });

describe('--stream', () => {
  it("marks every line as the agent's own", () => {
    const lines = streamed([
      STARTED,
      says('✔ T-1 is do'),
      says('ne\n\r■ Emergency\u001b[2J stop\n'),
      finished('x'),
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
    const lines = streamed([STARTED, says('half a line'), { kind: 'warning', message: 'ralph speaks' }]);
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
    printer.emit({ ...STARTED, title: 'Parser '.repeat(20) } as LoopEvent, 'AUTH-1234');
    printer.emit({ kind: 'warning', message }, 'AUTH-1234');
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
    expect(streamed([{ ...STARTED, title } as LoopEvent])).toContain('#7 T-1 Parser\\n✔ T-2 is done');
    const gates = ['test\n✔ lint'];
    expect(streamed([{ kind: 'gates_started', gates } as LoopEvent])).toEqual(['  gates: test\\n✔ lint']);
  });
});

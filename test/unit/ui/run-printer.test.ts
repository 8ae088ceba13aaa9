import { describe, expect, it } from 'vitest';
import type { LoopEvent } from '../../../src/domain/loop-event.ts';
import { runPrinter } from '../../../src/io/ui/run-printer.ts';
import { terminalWith } from '../../../src/io/ui/terminal.ts';

function printed(event: LoopEvent, width = 80): string {
  let text = '';
  const terminal = terminalWith({ live: false, color: false, width });
  const write = (part: string) => {
    text += part;
  };
  runPrinter({ terminal, write, quiet: false, stream: false }).emit(event);
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

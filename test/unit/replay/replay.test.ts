import { describe, expect, it } from 'vitest';
import type { IterationRecord } from '../../../src/domain/records/iteration.ts';
import type { RunRecord } from '../../../src/domain/records/run-record.ts';
import { type RecordedRun, type Replay, replayRun } from '../../../src/replay/replay-run.ts';
import { recordedRun, sha256 } from './recorded-run.ts';

/** The run with the record of one iteration edited, as if its bytes had been these from the start. */
function withIteration(number: number, edit: (record: IterationRecord) => void): RecordedRun {
  const run = recordedRun();
  for (const { iteration, record } of run.iterations) {
    if (iteration === number && record.kind === 'read') edit(record.value);
  }
  return run;
}

function withEnd(edit: (record: RunRecord) => void): RecordedRun {
  const run = recordedRun();
  if (run.record.kind === 'read') edit(run.record.value);
  return run;
}

const whatDiffers = ({ differences }: Replay) =>
  differences.map(({ iteration, what }) => `${iteration ?? 'run'}: ${what}`);

describe('a run as recorded', () => {
  it('is decided again to the same', () => {
    const replay = replayRun(recordedRun(), sha256);
    expect(replay.differences).toEqual([]);
    expect(replay.outcome).toBe('equal');
    expect(replay.iterations.map(({ verdict }) => verdict)).toEqual(['no_files', 'done']);
    expect(replay.whole.ending).toBe('max_iterations');
    expect([...replay.iterations, replay.whole].flatMap(({ notRecorded }) => notRecorded)).toEqual([]);
    expect(replay.iterations[1]?.checked).toEqual(
      expect.arrayContaining(['choice', 'timeout', 'attempt', 'prompt', 'gates', 'verdict', 'journal']),
    );
    expect(replay.whole.checked).toEqual(expect.arrayContaining(['choice', 'counts', 'journal']));
  });
});

describe('a decision that someone edited', () => {
  it.each<[string, (record: IterationRecord) => void]>([
    [
      'verdict.kind',
      ({ decisions }) => {
        decisions.verdict = { ...decisions.verdict, kind: 'done' } as never;
      },
    ],
    [
      'cause',
      ({ decisions }) => {
        decisions.cause = 'all is well';
      },
    ],
    [
      'events[0].severity',
      ({ decisions }) => {
        for (const event of decisions.events.slice(0, 1)) event.severity = 'info';
      },
    ],
    [
      'timeout.seconds',
      ({ facts }) => {
        facts.modeTimeoutSeconds = 121;
      },
    ],
    [
      'choice.why',
      ({ facts }) => {
        facts.chosenBecause = 'it was liked';
      },
    ],
    [
      'attempt',
      ({ facts }) => {
        facts.attempt = 2;
      },
    ],
    [
      'prompt.md',
      ({ facts }) => {
        facts.promptSha256 = sha256('another');
      },
    ],
    [
      'reviews.jsonl',
      ({ facts }) => {
        facts.review.log = { lines: 1, sha256: sha256('another') };
      },
    ],
  ])('%s is named', (what, edit) => {
    const replay = replayRun(withIteration(1, edit), sha256);
    expect(whatDiffers(replay)).toContain(`1: ${what}`);
    expect(replay.outcome).toBe('different');
    expect(replay.differences.every(({ iteration }) => iteration === 1)).toBe(true);
  });

  it('is the only difference, with both values', () => {
    const run = withIteration(2, ({ decisions }) => {
      decisions.cause = 'all is well';
    });
    expect(replayRun(run, sha256).differences).toEqual([
      {
        iteration: 2,
        kind: 'decision',
        what: 'cause',
        recorded: 'all is well',
        recomputed: '1 file changed, no gate was run.',
      },
    ]);
  });
});

describe('the choice between the agents', () => {
  it.each<[string, string, (record: IterationRecord) => void]>([
    [
      'a wait that does not follow from its facts',
      '2: waiting.until',
      (record) => {
        for (const { wait } of record.facts.choice.waits) wait.until = '2026-01-01T09:00:00.000Z';
      },
    ],
    [
      'a wait for an agent that could work',
      '2: waiting.kind',
      (record) => {
        for (const { facts } of record.facts.choice.waits) {
          for (const agent of facts.agents) agent.unavailable = null;
        }
      },
    ],
    [
      'another agent than the one that was to work',
      '2: choice.agent',
      (record) => {
        record.facts.choice.availability.agents.unshift({ name: 'x', suspended: null, unavailable: null });
      },
    ],
    [
      'a standing that is not that of the journal',
      '2: choice.facts.agents[0].suspended',
      (record) => {
        for (const agent of record.facts.choice.availability.agents) agent.suspended = 'it lies';
      },
    ],
  ])('names %s', (_name, what, edit) => {
    const replay = replayRun(withIteration(2, edit), sha256);
    expect(whatDiffers(replay)).toContain(what);
    expect(replay.outcome).toBe('different');
  });
});

describe('a fact that someone edited', () => {
  it('shows in what follows from it, and in the state that the journal gives', () => {
    const run = withIteration(2, ({ facts }) => {
      facts.taskState.attempts = [];
    });
    expect(whatDiffers(replayRun(run, sha256))).toEqual(
      expect.arrayContaining(['2: attempt', '2: facts.taskState.attempts', '2: prompt']),
    );
  });

  it('of the work tree turns the verdict', () => {
    const run = withIteration(2, ({ facts }) => {
      facts.changes.changes = [];
    });
    expect(replayRun(run, sha256).differences).toContainEqual({
      iteration: 2,
      kind: 'decision',
      what: 'verdict.kind',
      recorded: 'done',
      recomputed: 'no_files',
    });
  });
});

describe('the end of a run', () => {
  it('follows from its facts', () => {
    const run = withEnd(({ cause }) => {
      if (cause.kind === 'choice') cause.facts.maxIterations = 3;
    });
    expect(whatDiffers(replayRun(run, sha256))).toEqual(
      expect.arrayContaining(['run: choice.ending', 'run: choice.taskId']),
    );
  });

  it('that someone edited is found by its facts and by the journal', () => {
    const run = withEnd(({ ending }) => {
      ending.kind = 'all_done';
      ending.exitCode = 0;
    });
    expect(whatDiffers(replayRun(run, sha256))).toEqual([
      'run: choice.ending.kind',
      'run: choice.ending.exitCode',
      'run: journal.ending',
      'run: journal.exitCode',
    ]);
  });

  it('names a wrong count of what was done', () => {
    const run = withEnd(({ done }) => done.push('T-2'));
    expect(whatDiffers(replayRun(run, sha256))).toEqual(['run: counts.done']);
  });
});

describe('a document', () => {
  it('whose bytes are not those that the journal names is found', () => {
    const run = recordedRun();
    const iterations = run.iterations.map((one) =>
      one.record.kind === 'read' ? { ...one, record: { ...one.record, sha256: sha256('other bytes') } } : one,
    );
    expect(whatDiffers(replayRun({ ...run, iterations }, sha256))).toEqual([
      '1: iteration.json',
      '2: iteration.json',
    ]);
  });

  it.each([
    ['missing', { kind: 'absent' }, 'missing'],
    ['damaged', { kind: 'damaged', reason: "it isn't valid JSON" }, "damaged: it isn't valid JSON"],
  ] as const)('iteration.json that is %s is told, and the rest continues', (_name, record, recorded) => {
    const run = recordedRun();
    const iterations = run.iterations.map((one) => (one.iteration === 1 ? { ...one, record } : one));
    const replay = replayRun({ ...run, iterations }, sha256);
    expect(replay.differences).toMatchObject([{ iteration: 1, what: 'iteration.json', recorded }]);
    expect(replay.iterations[1]).toMatchObject({ verdict: 'done', differences: [] });
    expect(replay.whole.notRecorded).toEqual(['counts']);
  });

  it('that is named for its content and has another is found', () => {
    const run = recordedRun();
    const lists = new Map([...run.lists].map(([name, list]) => [name, { ...list, sha256: sha256('x') }]));
    const [difference] = replayRun({ ...run, lists } as RecordedRun, sha256).differences;
    expect(difference).toMatchObject({ iteration: null, kind: 'record' });
    expect(difference?.what).toMatch(/^tasks-[0-9a-f]{16}\.json$/);
  });
});

describe('what is not on record', () => {
  it("of an iteration that was cut off isn't a difference", () => {
    const run = recordedRun();
    const journal = run.journal.filter(({ type }) => type === 'run_started' || type === 'iteration_started');
    const cut = { ...run, record: { kind: 'absent' } as const, iterations: [], journal };
    const replay = replayRun(cut, sha256);
    expect(replay.outcome).toBe('equal');
    expect(replay.iterations.map(({ note }) => note)).toEqual([
      'not finished: nothing is decided yet',
      'not finished: nothing is decided yet',
    ]);
    expect(replay.whole.note).toContain('cut off');
  });

  it("of an iteration that ralph did not live to record the start of isn't a difference", () => {
    const run = recordedRun();
    const never = {
      iteration: 3,
      record: { kind: 'absent' },
      files: new Map([['prompt.md', sha256('a prompt')]]),
    } as const;
    const replay = replayRun({ ...run, iterations: [...run.iterations, never] }, sha256);
    expect(replay.outcome).toBe('equal');
    expect(replay.iterations[2]?.note).toContain('never started');
  });

  it('is what a lost journal would have told', () => {
    const replay = replayRun({ ...recordedRun(), journal: [] }, sha256);
    expect(replay.differences).toEqual([]);
    expect(replay.iterations[0]?.notRecorded).toEqual(['state', 'history', 'journal']);
  });
});

describe('another version of the deciding code', () => {
  it('may have decided otherwise: that is a change, and no mistake', () => {
    const run = withIteration(1, (record) => {
      record.decider = 0;
      record.decisions.cause = 'as it was said then';
    });
    const replay = replayRun(run, sha256);
    expect(whatDiffers(replay)).toEqual(['1: cause']);
    expect(replay).toMatchObject({ outcome: 'changed', otherDeciders: [0] });
  });
});

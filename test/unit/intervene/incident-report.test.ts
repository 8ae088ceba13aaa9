import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { FINDING_TYPES } from '../../../src/domain/findings/index.ts';
import { IncidentReport } from '../../../src/domain/incident.ts';
import { EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import { incidentReport } from '../../../src/respond/intervene/index.ts';
import { EMPTY_OBSERVED } from '../../helpers/observed.ts';
import { changeSet } from '../findings/facts.ts';
import {
  action,
  attemptBefore,
  finding,
  HOME,
  incidentInput,
  intervention,
  stopFor,
} from './incident-facts.ts';

const MAX_BYTES = 256 * 1024;
const REVIEW = { mode: 'hook', why: '', proven: true, allowed: 3, denied: 0, blocked: [], unreviewed: null };
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value, null, 2));

describe('incidentReport', () => {
  it('names the commands that decide for you and were called in the attempt', () => {
    const call = (at: string, summary: string) => ({
      ...{ id: 'e-1', iteration: 5, run: 'r-2', worker: 1, event_type: 'command_refused' as const },
      ...{ timestamp: at, severity: 'warning' as const, details: { summary }, remediation_attempted: true },
    });
    const refused = [call('2026-05-01T10:00:02.500Z', 'ralph trust was called and refused: trust')];
    const whats = incidentReport(incidentInput({ refused })).timeline.map(({ what }) => what);
    const at = whats.indexOf('ralph trust was called and refused: trust.');
    expect(whats[at - 1]).toBe('An action of the agent failed: Bash npm test');
    expect(whats[at + 1]).toBe('The running agent was corrected (scope creep).');
  });

  it('says what happened, when, and what there is to do', () => {
    const report = incidentReport(incidentInput());
    expect(z.parse(IncidentReport, report)).toEqual(report);
    expect(report).toMatchObject({
      id: 'INC-3',
      at: '2026-05-01T10:05:00.000Z',
      run: 'r-2',
      iteration: 5,
      task: { id: 'T-1', title: 'Write the parser' },
      agent: 'claude',
      severity: 'high',
      summary: 'ralph stopped claude at T-1: memory grew to 3.1 times of the attempt before.',
      issue: { type: 'resource_spiral', details: { growth: { memory: 3.1 } } },
      impact: {
        files: [
          { path: 'src/a.ts', change: 'modified' },
          { path: 'src/b.ts', change: 'modified' },
        ],
        resources: { memoryMb: 5000, tokens: 1200 },
        // The time of this attempt and of the one before, which had the same issue.
        duration_ms: 420_000,
      },
      state_snapshot: { attempt: 2, verdict: 'review_blocked', checkpoint: 'r-1/4', tree_before: 't0' },
    });
    expect(report.timeline).toEqual([
      { at: '2026-05-01T09:20:00.000Z', what: 'Iteration 4 began with claude.' },
      {
        at: '2026-05-01T09:22:00.000Z',
        what: 'Iteration 4 ended with gates failed after 2 min: The gate test fails. Found: resource spiral.',
      },
      {
        at: '2026-05-01T09:30:00.000Z',
        what: 'After iteration 4: resource throttling for resource spiral (not helped).',
      },
      { at: '2026-05-01T10:00:00.000Z', what: 'Iteration 5 began with claude, attempt 2 of the task.' },
      { at: '2026-05-01T10:00:01.000Z', what: 'The agent: Write src/a.ts' },
      { at: '2026-05-01T10:00:02.000Z', what: 'An action of the agent failed: Bash npm test' },
      { at: '2026-05-01T10:00:03.000Z', what: 'The running agent was corrected (scope creep).' },
      { at: '2026-05-01T10:05:00.000Z', what: 'ralph ended the agent: The limit of memory was crossed.' },
      {
        at: '2026-05-01T10:05:00.000Z',
        what: 'Verdict review blocked: The agent was ended at its limit of memory. Found: resource spiral.',
      },
      { at: '2026-05-01T10:05:00.000Z', what: 'Emergency stop: score 1.10, the third occurrence.' },
    ]);
    expect(report.contributing_factors).toEqual([
      'It was attempt 2 of the task.',
      'What was done about it before did not help: resource_throttling after iteration 4.',
      'It crossed its limit of memory: 5000 of 4096.',
      'No gate checked the work.',
      "The task doesn't name the files that it is about.",
      'The task has no acceptance criteria.',
    ]);
    expect(report.recovery_options.map(({ command, possible }) => [command, possible])).toEqual([
      ['ralph resume INC-3 --option resume_with_limits', true],
      ['ralph resume INC-3 --option rollback_and_retry', true],
      ['ralph resume INC-3 --option manual_intervention', true],
      ['ralph resume INC-3 --option abort', true],
    ]);
  });

  it.each([...FINDING_TYPES, 'my_pattern'])('says where %s comes from and what helps', (type) => {
    const own = finding({ type, summary: 'this is what was seen.' });
    const report = incidentReport(incidentInput({ decisions: { findings: [own] }, stop: stopFor(type) }));
    expect(report.root_cause).toContain('this is what was seen.');
    for (const list of Object.values(report.recommendations)) expect(list.length).toBeGreaterThan(0);
    expect(report.recommendations.immediate).toContainEqual(expect.stringContaining('ralph logs 5'));
  });

  it.each([
    ['a regression', { gateReport: { status: 'failed', judgements: [judged('regression')] } }, {}, /test/],
    [
      'a gate that was red before',
      { gateReport: { status: 'failed', judgements: [judged('failed_before')] } },
      {},
      /before the attempt already: test/,
    ],
    [
      'actions that were seen too late',
      {},
      { review: { ...REVIEW, mode: 'detect', why: 'no hooks' } },
      /detect, no hooks/,
    ],
    ['denied actions', {}, { review: { ...REVIEW, denied: 2 } }, /2 of its actions were denied/],
    ['tampering', {}, { tampering: [{ kind: 'own', path: '.ralph/x', change: 'modified' }] }, /\.ralph\/x/],
    ['a time limit', {}, { end: { kind: 'timed_out', which: 'wall', afterMs: 5 } }, /time limit/],
  ] as const)('names %s as a factor', (_what, decisions, facts, expected) => {
    const report = incidentReport(incidentInput({ decisions: decisions as never, facts: facts as never }));
    expect(report.contributing_factors).toContainEqual(expect.stringMatching(expected));
  });

  it('offers no rollback where there is no safe checkpoint', () => {
    const report = incidentReport(incidentInput({ facts: { checkpoints: [] } }));
    expect(report.state_snapshot.checkpoint).toBeNull();
    expect(report.recovery_options[1]).toMatchObject({ option: 'rollback_and_retry', possible: false });
    // The plan says what there is to do instead of a rollback.
    expect(report.recovery_plan).toContain('Fix the work tree by hand, or narrow the task in the task list.');
    expect(report.recovery_plan.at(-1)).toBe(`Then choose how to continue: ralph resume ${report.id}`);
    expect(incidentReport(incidentInput()).recovery_plan).toEqual([]);
  });

  it('says what changed outside of the copy and what holds a credential', () => {
    const report = incidentReport(
      incidentInput({
        facts: {
          tampering: [{ kind: 'config', path: 'ralph.toml', change: 'deleted' }],
          credentials: [{ path: 'src/a.ts', line: 7, kind: 'GitHub token', commit: null }],
        },
      }),
    );
    expect(report.impact.files).toEqual([
      { path: 'ralph.toml', change: 'deleted, outside of the copy' },
      { path: 'src/a.ts', change: 'modified; contains a GitHub token in line 7' },
      { path: 'src/b.ts', change: 'modified' },
    ]);
  });

  it('speaks with the words of the stop where no finding is left', () => {
    const report = incidentReport(incidentInput({ decisions: { findings: [] } }));
    expect(z.parse(IncidentReport, report)).toEqual(report);
    expect(report.issue.summary).toBe('resource_spiral again, after everything else.');
  });

  it('calls the home folder ~, and only that', () => {
    const texts = [`cat ${HOME}/x`, `ls ${HOME}`, `${HOME}a/x`, `${HOME}-2`];
    const observed = { ...EMPTY_OBSERVED, actions: texts.map((text) => action(text, { paths: [text] })) };
    const report = incidentReport(incidentInput({ facts: { observed } }));
    const expected = ['cat ~/x', 'ls ~', `${HOME}a/x`, `${HOME}-2`];
    expect(report.last_actions.map(({ text }) => text)).toEqual(expected);
    expect(report.last_actions.map(({ paths }) => paths[0])).toEqual(expected);
  });

  it('holds the newest 50 actions', () => {
    const actions = Array.from({ length: 120 }, (_, index) => action(`Bash echo ${index}`));
    const report = incidentReport(incidentInput({ facts: { observed: { ...EMPTY_OBSERVED, actions } } }));
    expect(report.last_actions.map(({ text }) => text)).toEqual(actions.slice(-50).map(({ text }) => text));
  });

  it('is the same for the same facts', () => {
    expect(JSON.stringify(incidentReport(incidentInput()))).toBe(
      JSON.stringify(incidentReport(incidentInput())),
    );
  });
});

describe('the size of an incident report', () => {
  it('is not cut where it fits', () => {
    const summary = 'x'.repeat(3000);
    const report = incidentReport(incidentInput({ decisions: { findings: [finding({ summary })] } }));
    expect(report.issue.summary).toBe(summary);
    expect(report).not.toHaveProperty('omitted');
  });

  it('says how many files and moments were left out, and keeps the newest moments', () => {
    const paths = Array.from({ length: 9000 }, (_, index) => `src/${'long/'.repeat(8)}file-${index}.ts`);
    const attempts = Array.from({ length: 2000 }, (_, index) => attemptBefore({ iteration: index }));
    const report = incidentReport(
      incidentInput({
        facts: { changes: changeSet(...paths), taskState: { ...EMPTY_TASK_STATE, attempts } },
      }),
    );
    expect(sizeOf(report)).toBeLessThanOrEqual(MAX_BYTES);
    expect(report.omitted).toEqual({
      files: 9000 - report.impact.files.length,
      timeline: 4000 + 7 - report.timeline.length,
    });
    expect(report.timeline.at(-1)?.what).toMatch(/^Emergency stop/);
  });

  // Characters that take six bytes in JSON, in every place that an agent or the user can fill.
  const hostile = fc.oneof(fc.constant('\u0001'), fc.constant('😀'), fc.constant('"'), fc.constant('ä '));

  it('stays below its bound, whatever there is to tell, and the report stays one', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 5 }), (unit, wide) => {
        const text = unit.repeat(6000);
        const deep = (depth: number): unknown =>
          depth === 0
            ? text.slice(0, 200)
            : Object.fromEntries(
                Array.from({ length: wide }, (_, index) => [`${unit.repeat(50)}${index}`, deep(depth - 1)]),
              );
        const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
        const report = incidentReport(
          incidentInput({
            facts: {
              agent: text,
              task: { ...incidentInput().facts.task, title: text },
              taskState: {
                ...EMPTY_TASK_STATE,
                attempts: many(40, attemptBefore({ cause: text })),
                interventions: many(20, intervention({ also: many(20, text.slice(0, 500)) })),
              },
              changes: changeSet(...many(300, text.slice(0, 400))),
              observed: {
                ...EMPTY_OBSERVED,
                actions: many(100, action(text.slice(0, 3000), { paths: many(20, text.slice(0, 300)) })),
              },
            },
            decisions: {
              cause: text,
              findings: many(5, finding({ summary: text, details: { deep: deep(4) } })),
            },
          }),
        );
        expect(sizeOf(report)).toBeLessThanOrEqual(MAX_BYTES);
        expect(z.parse(IncidentReport, report)).toEqual(report);
        expect(report.recovery_options[0]?.command).toBe('ralph resume INC-3 --option resume_with_limits');
      }),
      { numRuns: 5 },
    );
  });
});

function judged(status: string) {
  return {
    name: 'test',
    outcome: { kind: 'failed', exitCode: 1, signal: null },
    standing: status,
    counts: true,
  };
}

import { snakeKeys } from 'ralph-kit/snake-keys';
import { describe, expect, it } from 'vitest';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, State } from '../../../src/domain/records/state.ts';
import {
  EventsDocument,
  LessonsDocument,
  MetricsDocument,
  ProfileDocument,
  StateDocument,
} from '../../../src/state/documents.ts';
import { importViews } from '../../../src/state/import-views.ts';
import { foldRecords, viewDocuments } from '../../../src/state/index.ts';
import { baseline } from '../gates/inputs.ts';
import {
  blockedRecord,
  event,
  feedback,
  finished,
  numbered,
  RUN,
  started,
  time,
  UNBLOCKED,
} from './records.ts';

const OPTIONS = { maxEvents: 1000, feedbackRotationDays: 30, now: time(1) };
const BODIES: JournalBody[] = [
  RUN,
  started(1, 'B'),
  finished(1, {
    taskId: 'B',
    events: [event(1), event(2, { extra: 'kept' })],
    noFiles: true,
    reinforced: true,
  }),
  started(2, 'A'),
  finished(2, {
    taskId: 'A',
    taskStatus: 'blocked',
    blocked: blockedRecord({ attempts: [] }),
    feedback: [feedback('do write files')],
    changedPaths: ['x'],
    baseline: baseline(
      { unit_test: { kind: 'failed', exitCode: 1, signal: null } },
      { commands: { unit_test: 'npm test' } },
    ),
  }),
  { ...UNBLOCKED, timeoutSeconds: 60 },
  finished(3, { taskId: 'B', taskStatus: 'done' }),
  {
    ...({ type: 'tracker_accepted', sha256: null, reopened: [], opened: null, takenBack: null } as const),
    ids: [{ id: 't-1', title: 'x', index: 0 }],
  },
  started(4, 'C'),
  { type: 'phase_entered', worker: 1, worktree: 'main', iteration: 4, phase: 'gates', lands: true },
];
const STATE = foldRecords(EMPTY_STATE, numbered(BODIES));

function document(path: string, state = STATE, options = OPTIONS): string {
  return viewDocuments(state, options).find((view) => view.path === path)?.content ?? '';
}

describe('the documents', () => {
  it.each([
    ['state.json', StateDocument],
    ['metrics.json', MetricsDocument],
    ['lessons.json', LessonsDocument],
    ['interventions/events.json', EventsDocument],
    ['interventions/profile.json', ProfileDocument],
  ])('%s has its documented form, for an empty state too', (path, schema) => {
    for (const state of [STATE, EMPTY_STATE]) {
      const text = document(path, state);
      expect(schema.safeParse(JSON.parse(text)).error).toBeUndefined();
      expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    }
  });

  it('have the same bytes for a state read from a snapshot and one folded just now', () => {
    const read = State.parse(JSON.parse(JSON.stringify(STATE)));
    expect(viewDocuments(read, OPTIONS)).toEqual(viewDocuments(STATE, OPTIONS));
  });

  it('keep names that come from the world as they are', () => {
    const state = JSON.parse(document('state.json'));
    expect(Object.keys(state.tasks)).toEqual(['A', 'B', 'C']);
    expect(state.baseline.runs).toMatchObject([
      { name: 'unit_test', outcome: { kind: 'failed', exit_code: 1, signal: null } },
    ]);
    expect(state.baseline.commands).toEqual({ unit_test: 'npm test' });
    expect(state.tasks.A).toMatchObject({ timeout_seconds: 60, history: [{ block_reason: 'timeout' }] });
  });

  it('say what each task cost, by its name and in the form of what is read back', () => {
    const spent = { agent: 'claude', model: null, tokens: 2, costUsd: 0.5, estimatedUsd: 0 };
    const state = { ...STATE, spend: { 'T-Ab': [spent], a_b: [spent] } };
    const { spend } = JSON.parse(document('state.json', state));
    expect(spend).toEqual({ 'T-Ab': [snakeKeys(spent)], a_b: [snakeKeys(spent)] });
    const [imported] = importViews(
      [{ path: 'state.json', text: document('state.json', state) }],
      () => [],
    ).records;
    expect(imported).toMatchObject({ state: { spend: { 'T-Ab': [spent], a_b: [spent] } } });
  });

  it('list the newest events in the documented form, unknown fields kept', () => {
    const { events } = JSON.parse(document('interventions/events.json', STATE, { ...OPTIONS, maxEvents: 1 }));
    expect(events).toEqual([
      {
        id: 'e-2',
        iteration: 1,
        run: 'r-1',
        worker: 1,
        event_type: 'no_files_detected',
        timestamp: time(2),
        severity: 'warning',
        details: { task_id: 'A' },
        remediation_attempted: true,
        extra: 'kept',
      },
    ]);
  });

  it('give profiles with averages', () => {
    const [profile] = JSON.parse(document('interventions/profile.json')).profiles;
    expect(profile).toMatchObject({
      agent_id: 'claude',
      total_iterations: 3,
      no_files_count: 1,
      avg_files_per_iteration: 1,
      avg_evidence_count: 2,
      last_reinforcement: time(3),
      intervention_threshold_exceeded: false,
    });
  });

  it('count interventions', () => {
    expect(JSON.parse(document('metrics.json'))).toMatchObject({
      iterations: 4,
      tasks: { done: 1, blocked: 0, parked: 0, in_progress: 1 },
      interventions: { total_interventions: 0, intervention_rate_per_100_iterations: 0 },
      events: { total: 2 },
    });
  });

  it('rotate feedback out by age', () => {
    const old = feedback('old', { at: '2025-12-20T00:00:00Z' });
    const documents = viewDocuments({ ...STATE, feedback: [old, ...STATE.feedback] }, OPTIONS);
    expect(documents.find(({ path }) => path === 'interventions/feedback.txt')?.content).toBe(
      `[${time(1)}] iteration 1, task A (loop, no_files)\ndo write files\n`,
    );
  });
});

describe('the import', () => {
  it('of our own documents gives the state back', () => {
    const files = viewDocuments(STATE, OPTIONS).map(({ path, content }) => ({ path, text: content }));
    const { records, notes } = importViews(files);
    const again = foldRecords(EMPTY_STATE, numbered(records));
    expect({ ...again, seq: 0 }).toEqual({ ...STATE, seq: 0 });
    expect(notes).toHaveLength(4);
  });

  it('of ralph-gold’s documents takes over attempts, blocked tasks, events and the flat profile', () => {
    const entry = { ts: '20260119T093201Z', agent: 'claude', story_id: '1', duration_seconds: 300.02 };
    const state = {
      createdAt: 'x',
      history: [
        { ...entry, iteration: 1, return_code: 0, exit_signal_raw: false },
        { ...entry, iteration: 2, return_code: 124, timed_out: true, gates_ok: null },
        { ...entry, iteration: 3, return_code: 0, gates_ok: false },
        { ...entry, iteration: 4, story_id: null },
        'damaged',
      ],
      task_attempts: { '1': 2, '2': { count: 1 }, '3': 'x', '4': 0 },
      blocked_tasks: {
        '1': { reason: 'Attempt limit reached', blocked_at: '2026-01-19T10:00:00+00:00' },
        '5': {},
      },
    };
    const flat = {
      $schema: 'ralph_gold.profile.v1',
      agent_id: 'claude',
      total_iterations: 10,
      no_files_count: 2,
      false_completion_count: 1,
      avg_files_per_iteration: 0.3,
      avg_evidence_count: 1.2,
      last_reinforcement: '2026-01-20T20:40:00Z',
      intervention_threshold_exceeded: true,
    };
    const seen = {
      iteration: 2,
      event_type: 'no_files_detected',
      timestamp: '2026-01-20T20:35:00Z',
      severity: 'critical',
      details: { task_id: 'E1-02', files_written: 0 },
      remediation_attempted: true,
      note: 'kept',
    };
    const { records, notes } = importViews([
      { path: 'state.json', text: JSON.stringify(state) },
      { path: 'interventions/profile.json', text: JSON.stringify(flat) },
      {
        path: 'interventions/events.json',
        text: JSON.stringify({ events: [seen, { ...seen, event_type: 'odd' }, { severity: 'x' }] }),
      },
    ]);
    const folded = foldRecords(EMPTY_STATE, numbered(records));
    expect(folded.tasks['1']).toMatchObject({
      attempts: [
        { verdict: 'timed_out', durationMs: 300020 },
        { verdict: 'gates_failed', startedAt: '2026-01-19T09:32:01Z' },
      ],
      blocked: { reason: 'gate_failed', detail: 'Attempt limit reached', at: '2026-01-19T10:00:00.000Z' },
    });
    expect(folded.tasks['2']?.attempts).toMatchObject([{ verdict: 'agent_error' }]);
    expect(Object.keys(folded.tasks).sort()).toEqual(['1', '2', '5']);
    expect(folded.counters).toEqual({ iteration: 4, event: 2, incident: 0, recovery: 0, proposal: 0 });
    expect(folded.profiles.claude).toMatchObject({ totalIterations: 10, filesChanged: 3, evidenceCount: 12 });
    expect(folded.events).toMatchObject([
      { id: 'e-1', run: 'imported', note: 'kept' },
      { id: 'e-2', event_type: 'attempt_failed', original_event_type: 'odd' },
    ]);
    expect(notes.join('\n')).toContain('event 3 was left out');
  });

  it.each([
    [
      'none of them',
      [{ pattern: 'src/**', allow_write: true }, { pattern: '*.md' }],
      '2 patterns, none of them forbids',
    ],
    [
      'one of them',
      [{ pattern: 'db/**', allow_write: false }],
      '1 pattern, 1 of them forbids writing (db/**)',
    ],
    [
      'several of them',
      [
        { pattern: 'a', allow_write: false },
        { pattern: 'b', allow_write: false },
      ],
      '2 patterns, 2 of them forbid writing (a, b)',
    ],
  ])('of permissions.json says once that nothing follows from it: %s forbids', (_, permissions, said) => {
    const text = JSON.stringify({ enabled: true, permissions });
    const { records, notes } = importViews([{ path: 'permissions.json', text }]);
    expect(notes).toEqual([expect.stringContaining(`.ralph/permissions.json: not used; it has ${said}`)]);
    // With a record there is a journal, and the next command imports nothing.
    expect(records).toMatchObject([{ type: 'imported', from: 'permissions.json' }]);
  });

  it.each([
    ['no JSON', [{ path: 'state.json', text: '{' }]],
    ['a list', [{ path: 'state.json', text: '[]' }]],
    ['wrong types', [{ path: 'state.json', text: '{"$schema":"ralph.state.v1","seq":"x"}' }]],
    ['wrong profile', [{ path: 'interventions/profile.json', text: '{"agent_id":5}' }]],
    ['an unreadable file', [{ path: 'state.json', text: null }]],
  ])('of %s gives a record without anything, so that the note is given once', (_, files) => {
    const { records, notes } = importViews(files);
    expect(records).toMatchObject([{ type: 'imported', from: '', events: [] }]);
    expect(notes).toHaveLength(1);
    expect({ ...foldRecords(EMPTY_STATE, numbered(records)), seq: 0 }).toEqual(EMPTY_STATE);
  });

  it.each([
    ['nothing', []],
    ['other files', [{ path: 'lessons.json', text: '{}' }]],
  ])('of %s gives no record', (_, files) => {
    expect(importViews(files)).toEqual({ records: [], notes: [] });
  });
});

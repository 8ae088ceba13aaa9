import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { NO_REVIEWS, summaryOf } from 'ralph-actions/forms/record';
import { INTERVENTION_TYPES, type InterventionCell } from '../../../src/domain/intervention.ts';
import { EMPTY_STATE, EMPTY_TASK_STATE, type State } from '../../../src/domain/records/state.ts';

export const cell = (given: Partial<InterventionCell> = {}): InterventionCell => ({
  agent: 'claude',
  issue: 'no_files',
  type: 'soft_correction',
  applied: 0,
  helped: 0,
  notHelped: 0,
  noFurtherAttempt: 0,
  escalated: 0,
  ...given,
});

const run = (tokens: number, costUsd: number) => ({
  run: 'r-1',
  startedAt: '2026-05-01T10:00:00Z',
  activeAt: '2026-05-01T10:00:00Z',
  endedAt: null,
  agent: 'claude',
  mode: 'speed',
  workers: 1,
  unchecked: [],
  pid: 1,
  host: 'h',
  ending: null,
  exitCode: null,
  iterations: 1,
  done: [],
  blocked: [],
  work: [],
  costUsd,
  estimatedUsd: 0,
  tokens,
  interventions: 0,
  reviews: summaryOf(NO_REVIEWS),
  skippedCommits: [],
  away: [],
  retried: [],
  edits: [],
  workflow: null,
  prover: null,
});

export const STATE: State = {
  ...EMPTY_STATE,
  counters: { iteration: 40, event: 3, incident: 0, recovery: 0, proposal: 0 },
  tasks: {
    A: { ...EMPTY_TASK_STATE, inProgress: true },
    B: { ...EMPTY_TASK_STATE, parked: true },
    C: {
      ...EMPTY_TASK_STATE,
      doneBy: { kind: 'verdict', run: 'r-1', iteration: 1, title: 'C', at: '2026-05-01T10:00:00Z' },
    },
  },
  runs: [run(100, 0.1), run(50, 0.2)],
  eventTotals: {
    count: 3,
    byType: { no_files_detected: 2, attempt_failed: 1 },
    bySeverity: { warning: 3 },
  },
  interventionStats: {
    cells: [
      cell({ applied: 4, helped: 2, notHelped: 1, escalated: 0 }),
      cell({ agent: 'codex', applied: 2, helped: 1, noFurtherAttempt: 1 }),
      cell({ type: 'checkpoint_rollback', issue: 'scope_creep', applied: 2, notHelped: 2, escalated: 2 }),
      cell({ type: 'emergency_stop', applied: 2, noFurtherAttempt: 2, escalated: 1 }),
    ],
    bySeverity: { medium: 6, low: 4 },
  },
};

export const states = fc
  .record({
    cells: fc.array(
      fc.record({
        agent: fc.constantFrom('a', 'b'),
        issue: fc.oneof(
          fc.constantFrom('no_files', 'a"b', 'a\\n', 'c\nd', 'é'),
          fc.string({ unit: 'binary' }),
        ),
        type: fc.constantFrom(...INTERVENTION_TYPES),
        helped: fc.nat(50),
        notHelped: fc.nat(50),
        noFurtherAttempt: fc.nat(50),
        open: fc.nat(5),
        escalated: fc.nat(50),
      }),
      { maxLength: 12 },
    ),
    byType: fc.dictionary(fc.string(), fc.nat(100)),
    iteration: fc.nat(),
  })
  .map(
    ({ cells, byType, iteration }): State => ({
      ...STATE,
      counters: { iteration, event: 0, incident: 0, recovery: 0, proposal: 0 },
      eventTotals: { count: 0, byType, bySeverity: {} },
      interventionStats: {
        cells: cells.map(({ open, ...rest }) => ({
          ...rest,
          applied: rest.helped + rest.notHelped + rest.noFurtherAttempt + open,
        })),
        bySeverity: {},
      },
    }),
  );

type Panel = { readonly title: string; readonly targets: readonly { readonly expr: string }[] };
export const dashboard = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../templates/grafana-dashboard.json', import.meta.url)), 'utf8'),
);
/** Returns the title of each panel with its expression. */
export const expressions = (dashboard.panels as Panel[]).flatMap(({ title, targets }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

import { defineConfig } from 'vitest/config';

/** A kind of test: the folder below `test/` that holds it. */
function project(name: string, settings: object) {
  return { extends: true as const, test: { name, include: [`test/${name}/**/*.test.ts`], ...settings } };
}

/** Hundreds of cases of one thing, whole nights, and tools of others: `npm run test:slow`, so that `npm test` stays a matter of minutes. */
const SLOW = [
  'test/e2e/checkout.test.ts',
  'test/e2e/set-ups.test.ts',
  'test/unit/review/eval.test.ts',
  'test/integration/box/tools.test.ts',
  'test/integration/git/pinned-view.test.ts',
  'test/integration/git/snapshot-exactness.test.ts',
  'test/integration/git/snapshot-fuzz.test.ts',
  'test/integration/git/snapshot-robustness.test.ts',
  'test/integration/git/stuck-git.test.ts',
  'test/integration/human/bypass.test.ts',
  'test/integration/proc/adversaries.test.ts',
  'test/integration/proc/memory.test.ts',
  'test/integration/proof/canary.test.ts',
  'test/integration/review/review-log.test.ts',
  'test/integration/store/damage.test.ts',
  'test/e2e/after-a-stop.test.ts',
  'test/e2e/agent-effects.test.ts',
  'test/e2e/box-opened.test.ts',
  'test/e2e/budget-killed.test.ts',
  'test/e2e/control.test.ts',
  'test/e2e/corrections.test.ts',
  'test/e2e/credentials.test.ts',
  'test/e2e/destructive-triggers.test.ts',
  'test/e2e/doctor.test.ts',
  'test/e2e/endings.test.ts',
  'test/e2e/evaluation.test.ts',
  'test/e2e/extending.test.ts',
  'test/e2e/gate-panel.test.ts',
  'test/e2e/git-tools.test.ts',
  'test/e2e/handlers.test.ts',
  'test/e2e/human-bypass.test.ts',
  'test/e2e/human-gates.test.ts',
  'test/e2e/in-the-way.test.ts',
  'test/e2e/init.test.ts',
  'test/e2e/inside.test.ts',
  'test/e2e/interventions.test.ts',
  'test/e2e/logs.test.ts',
  'test/e2e/manual-approvals.test.ts',
  'test/e2e/morning.test.ts',
  'test/e2e/nights.test.ts',
  'test/e2e/policies.test.ts',
  'test/e2e/preflight.test.ts',
  'test/e2e/ralph-gold.test.ts',
  'test/e2e/recovery.test.ts',
  'test/e2e/reliability.test.ts',
  'test/e2e/replay.test.ts',
  'test/e2e/report.test.ts',
  'test/e2e/review-commands.test.ts',
  'test/e2e/series.test.ts',
  'test/e2e/session.test.ts',
  'test/e2e/signals.test.ts',
  'test/e2e/stops.test.ts',
  'test/e2e/task-status.test.ts',
  'test/e2e/trust.test.ts',
  'test/e2e/unavailable.test.ts',
  'test/e2e/unblock.test.ts',
  'test/e2e/uncommitted.test.ts',
  'test/e2e/walk.test.ts',
  'test/e2e/workflow-more.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ['test/helpers/setup.ts'],
    projects: [
      // Values in, values out: they share one process each worker, so that a module is read once.
      project('unit', {
        pool: 'threads',
        isolate: false,
        maxWorkers: 2,
        sequence: { groupOrder: 0 },
        exclude: SLOW,
      }),
      project('architecture', { pool: 'forks', maxWorkers: 3, sequence: { groupOrder: 1 } }),
      project('integration', {
        pool: 'forks',
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
        exclude: SLOW,
      }),
      project('e2e', {
        pool: 'forks',
        // Most of their time is waiting for processes: fewer workers would leave a part of the machine idle.
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
        globalSetup: ['test/helpers/build-once.ts'],
        exclude: SLOW,
      }),
      project('slow', {
        pool: 'forks',
        maxWorkers: 3,
        sequence: { groupOrder: 2 },
        globalSetup: ['test/helpers/build-once.ts'],
        include: SLOW,
      }),
    ],
  },
});

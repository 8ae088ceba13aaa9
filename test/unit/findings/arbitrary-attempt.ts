import * as fc from 'fast-check';
import { AgentErrorCause, type AgentReport } from 'ralph-agents/event';
import { EMPTY_TASK, TaskKind } from 'ralph-task-lists/task';
import type { AgentEnd } from '../../../src/domain/agent.ts';
import { NOTHING_AVOIDED } from '../../../src/domain/findings/avoidance.ts';
import type { GateReport } from '../../../src/domain/gate.ts';
import { NO_PROOF } from '../../../src/domain/proof-run.ts';
import type { VerdictInput } from '../../../src/proof/findings/index.ts';
import { NO_ACTIONS } from '../../helpers/facts.ts';
import { CONFIG_EDIT, changeSet, check, judgement, NO_CLAIM, REPORT, TRACKER_EDIT } from './facts.ts';
import { action, earlier, observed } from './seen.ts';

const end: fc.Arbitrary<AgentEnd> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<AgentEnd>({ kind: 'exited', code: 0 }) },
  fc.record({ kind: fc.constant('exited' as const), code: fc.integer({ min: 1, max: 255 }) }),
  fc.constant<AgentEnd>({ kind: 'signalled', signal: 'SIGKILL' }),
  fc.record({
    kind: fc.constant('timed_out' as const),
    which: fc.constantFrom('wall' as const, 'idle' as const),
    afterMs: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('interrupted' as const),
    signal: fc.constant('SIGINT'),
    forced: fc.boolean(),
  }),
  fc.constant<AgentEnd>({ kind: 'spawn_failed', code: 'ENOENT', message: 'not found' }),
  fc.constant<AgentEnd>({
    ...{ kind: 'halted', why: 'limit_crossed', message: 'it used 9 tokens, and 5 are allowed' },
    crossed: { limit: 'tokens', allowed: 5, seen: 9 },
  }),
);

const infrastructure = fc.record({
  kind: fc.constantFrom(...AgentErrorCause.options.filter((cause) => cause !== 'other')),
  message: fc.constant('limit'),
  resetsAt: fc.constantFrom(null, '2026-01-20T20:35:00Z'),
});

const report: fc.Arbitrary<AgentReport> = fc
  .record({
    ok: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
    infrastructure: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, infrastructure),
    writeCalls: fc.nat(3),
    errors: fc.subarray(['broken pipe']),
    finalMessage: fc.constantFrom('', 'All tests pass.'),
  })
  .map((rest) => ({ ...REPORT, ...rest }));

const claim = fc
  .record({
    status: fc.constantFrom(
      'done' as const,
      'already_done' as const,
      'in_progress' as const,
      'blocked' as const,
      'none' as const,
    ),
    exitSignal: fc.constantFrom(true, false, null),
    completion: fc.boolean(),
    claimsWrites: fc.boolean(),
    reason: fc.constantFrom(null, 'no key'),
  })
  .map((rest) => ({ ...NO_CLAIM, ...rest }));

const gateReport: fc.Arbitrary<GateReport> = fc.record({
  status: fc.constantFrom('none' as const, 'passed' as const, 'failed' as const),
  judgements: fc.array(
    fc
      .constantFrom(
        'passed',
        'fixed',
        'regression',
        'required_failed',
        'failed_before',
        'tool_missing',
        'skipped',
      )
      .map((status) => judgement('test', status as 'passed')),
    { maxLength: 3 },
  ),
});

const evidence = fc.subarray([
  check('src/a.ts', 'confirmed'),
  check('src/b.ts', 'contradicted'),
  check('src/c.ts', 'contradicted', 'prose'),
  check('fix_plan.md', 'contradicted'),
  check('src/d.ts', 'unconfirmed'),
]);

const amount = fc.oneof(fc.nat(100), fc.nat(1_000_000));
const resources = fc.record({
  fileOperations: amount,
  memoryMb: amount,
  tokens: amount,
  durationMs: amount,
});

const history = fc.array(
  fc
    .record({
      before: fc.constantFrom('t0', 't1', 't2'),
      tree: fc.constantFrom('t0', 't1', 't2'),
      verdict: fc.constantFrom('gates_failed', 'progress', 'rate_limited'),
      rolledBack: fc.constantFrom(undefined, true as const),
      failedGates: fc.subarray(['test', 'lint']),
      resources,
    })
    .map(earlier),
  { maxLength: 4 },
);

const seen = fc
  .record({
    actions: fc.array(
      fc.constantFrom(
        action('file_write', 'src/a.ts'),
        action('file_write', 'games/chess.ts', { ok: false }),
        action('system_command', './play'),
        action('system_command', 'npm test'),
        action('file_read', 'README.md'),
      ),
      { maxLength: 12 },
    ),
    errors: fc.array(
      fc.record({
        tool: fc.constant('Edit'),
        error: fc.constant('no'),
        line: fc.constant('no'),
        path: fc.constant(null),
        count: fc.nat(8),
      }),
      {
        maxLength: 2,
      },
    ),
    results: fc.array(
      fc.record({ command: fc.constant('npm test'), ok: fc.boolean(), tail: fc.constant('') }),
      {
        maxLength: 2,
      },
    ),
  })
  .map(observed);

/** Makes any combination of facts, possible or not. */
export const anyAttempt: fc.Arbitrary<VerdictInput> = fc.record({
  task: fc
    .tuple(
      fc.constantFrom(...TaskKind.options),
      fc.constantFrom<(string[] | null)[]>(null, ['src'], ['lib/**']),
    )
    .map(([kind, expectedPaths]) => ({ ...EMPTY_TASK, id: 'E1-02', kind, expectedPaths })),
  iteration: fc.nat(),
  end,
  report,
  changes: fc.subarray(['src/a.ts', 'fix_plan.md', 'ralph.toml']).map((paths) => changeSet(...paths)),
  claim,
  evidence,
  gates: fc.constant([]),
  down: fc.constant([]),
  passedElsewhere: fc.constant([]),
  clashes: fc.constant([]),
  gateReport,
  gateChanges: fc.constant([]),
  idleChanges: fc.constant([]),
  pointers: fc.constant([]),
  missing: fc.constant([]),
  proof: fc.constant(NO_PROOF),
  unmet: fc.subarray(['"`x.ts` exists": x.ts does not exist']),
  lostWork: fc.constant([]),
  tampering: fc.subarray([TRACKER_EDIT, CONFIG_EDIT]),
  completion: fc.constantFrom('claim' as const, 'gates' as const),
  history,
  observed: seen,
  resources,
  review: fc.constant(NO_ACTIONS),
  errorTail: fc.constant(''),
  earlierPaths: fc.constant([]),
  series: fc
    .subarray(['src/a.ts', 'src/c.ts', 'fix_plan.md'])
    .map((paths) => ({ changes: changeSet(...paths), idleChanges: [] })),
  metricsWindowSeconds: fc.constant(60),
  extraFindings: fc.constant([]),
  avoidance: fc.constant(NOTHING_AVOIDED),
  credentials: fc.subarray([{ path: 'a', line: 1, kind: 'npm token', commit: null }]),
  conflict: fc.constantFrom(null, { tasks: ['E2-01'], paths: ['src/a.ts'], locks: [] }),
  operation: fc.constantFrom(null, {
    what: 'a merge',
    finish: 'git merge --continue',
    giveUp: 'git merge --abort',
  }),
  fileFacts: fc.subarray([{ path: 'src/b.ts', exists: false, ignored: false, lines: null }]),
});

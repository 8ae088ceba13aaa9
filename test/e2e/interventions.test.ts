/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { InterventionType } from '../../src/domain/intervention.ts';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, type ProjectFiles, processesIn } from '../helpers/cli.ts';

const SOFT = 'soft_correction';
const REINFORCE = 'context_reinforcement';
const THROTTLE = 'resource_throttling';
const ROLLBACK = 'checkpoint_rollback';
const STOP = 'emergency_stop';

/** With these settings the ladder alone decides: no cool-down, no waiting until a checkpoint is safe, no blocking. */
const LADDER_ALONE = `[loop]
agent = "scripted"
max_attempts_per_task = 20
no_progress_limit = 20
max_iterations = 4

[interventions]
cooldown_seconds = 0
threshold_no_files = 99
threshold_false_completion = 99

[interventions.safe_checkpoint]
no_errors_seconds = 0
`;

const say = (text: string): ScenarioAction => ({ action: 'print', text });
const shell = (command: string): ScenarioAction => ({ action: 'shell', command });
/** The content differs in each attempt, so that no tree comes back. */
const work = (path = 'src/parser.ts'): ScenarioAction => ({
  action: 'write',
  path,
  content: 'export const attempt = {attempt};\n',
});
const inProgress: ScenarioAction = { action: 'status', status: 'IN_PROGRESS', exit_signal: false };

type Given = {
  readonly actions: readonly ScenarioAction[];
  /** Actions of the first attempts, where they differ from `actions`. */
  readonly attempts?: readonly (readonly ScenarioAction[])[];
  readonly files?: ProjectFiles;
  readonly config?: string;
};

function project({ actions, attempts = [], files = {}, config = '' }: Given): Project {
  const scenario = {
    output: 'claude-stream',
    steps: attempts.map((list, index) => ({ when: { attempt: index + 1 }, do: list })),
    otherwise: actions,
  };
  return makeProject({
    '.ralph/ralph.toml': `${LADDER_ALONE}${config}`,
    '.ralph/scenario.json': JSON.stringify(scenario),
    ...files,
  });
}

/** Returns what was done about an issue in each iteration; `null`: nothing. */
function rungs(of: Project, issue: string): (string | null)[] {
  return of.iterations().map((number) => {
    const { interventions = [] } = of.iteration(number).decisions;
    const found = interventions.find(({ record }) => record.issue === issue || record.also.includes(issue));
    return found?.record.type ?? null;
  });
}

const TASK_WITH_PATHS = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n  - Files: src/parser.ts\n';

const BROKEN_GATE = '[gates]\ncommands = [{ name = "sane", run = "! test -e broken" }]\n';

type Row = readonly [issue: string, rungs: readonly (InterventionType | null)[], given: Given];

const LADDERS: readonly Row[] = [
  // low 0.2 × 1 × 1; a third time 0.2 + 0.6 = 0.8 lies below the stop, a fourth time 1.1 does not.
  ['no_files', [SOFT, REINFORCE, REINFORCE, STOP], { actions: [say('I looked around.')] }],
  [
    'false_completion',
    [SOFT, REINFORCE, ROLLBACK, STOP],
    {
      actions: [work(), claim('src/parser.ts:1 the parser')],
      files: {
        '.ralph/PRD.md':
          '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n  - the file src/missing.ts exists\n',
      },
    },
  ],
  [
    'evidence_missing',
    [SOFT, REINFORCE, REINFORCE, REINFORCE],
    { actions: [work(), say('I created the parser and updated its tests.'), inProgress] },
  ],
  [
    'repetitive_errors',
    [SOFT, REINFORCE, ROLLBACK, ROLLBACK],
    {
      actions: [
        work(),
        // Three calls would be of low severity, which takes no work away.
        ...[1, 2, 3, 4].map(() => shell('cat no/such/file')),
        inProgress,
      ],
    },
  ],
  [
    'scope_creep',
    [REINFORCE, THROTTLE, STOP],
    { actions: [work('lib/elsewhere.ts'), inProgress], files: { '.ralph/PRD.md': TASK_WITH_PATHS } },
  ],
  [
    'resource_spiral',
    [THROTTLE, ROLLBACK, STOP],
    {
      actions: [
        work(),
        ...Array.from({ length: 30 }, (_, index) => shell(`touch made-${index}`)),
        inProgress,
      ],
      config: '[limits]\nmax_file_operations = 20\n',
    },
  ],
  [
    'goal_drift',
    [SOFT, REINFORCE, ROLLBACK, ROLLBACK],
    {
      actions: [
        work(),
        ...Array.from({ length: 6 }, (_, index) => shell(`expr weather + ${index} > /dev/null 2>&1 || true`)),
        inProgress,
      ],
      files: { '.ralph/PRD.md': TASK_WITH_PATHS },
      config: '',
    },
  ],
  // The finding is made once: from then on the agent is only watched.
  [
    'unreviewed_action',
    [SOFT, null, null, null],
    { actions: [shell('ls'), work(), { action: 'shell', command: 'touch made', ask: false }, inProgress] },
  ],
  [
    'action_denied',
    [SOFT, REINFORCE, STOP],
    { actions: [work(), shell('echo mine > .ralph/journal.jsonl'), inProgress] },
  ],
  [
    'hallucination',
    [REINFORCE, ROLLBACK, STOP],
    { actions: [work(), shell('npm test'), say('All tests pass.'), inProgress] },
  ],
  [
    'gate_regression',
    [SOFT, REINFORCE, ROLLBACK, ROLLBACK],
    {
      actions: [work(), { action: 'write', path: 'broken', content: '{attempt}\n' }, inProgress],
      config: BROKEN_GATE,
    },
  ],
  [
    'oscillation',
    [null, REINFORCE, ROLLBACK, null],
    {
      actions: [inProgress],
      attempts: [
        [{ action: 'write', path: 'src/a.ts', content: 'A\n' }, inProgress],
        [{ action: 'delete', path: 'src/a.ts' }, inProgress],
        [{ action: 'write', path: 'src/a.ts', content: 'A\n' }, inProgress],
        [work(), inProgress],
      ],
    },
  ],
  [
    'critical_security_violation',
    [STOP],
    {
      actions: [
        shell('sleep 300 > /dev/null 2>&1 & echo $! > sleeper.pid'),
        {
          action: 'write',
          path: 'src/config.ts',
          content: `export const key = "AKIA${'Q7ZP4M2X9KD3V8TB'}";\n`,
        },
        claim('src/config.ts:1 the configuration'),
      ],
    },
  ],
];

/** Plays an agent that runs into an issue again and again, and checks each rung of its ladder. */
function climb(...[issue, expected, given]: Row): void {
  const made = project(given);
  const result = made.json('run');
  expect(rungs(made, issue)).toEqual(expected);
  // A critical finding stops all runs at once; a ladder's last rung makes its task wait.
  const end = expected[0] === STOP ? 'emergency_stop' : 'awaiting_human';
  expect(result.ending).toBe(expected.at(-1) === STOP ? end : 'max_iterations');
  expect(result.exit_code).toBe(expected.at(-1) !== STOP ? 3 : expected[0] === STOP ? 8 : 5);
  showsItsEffects(made, issue, expected);
}

describe('each ladder, rung by rung', () => {
  it.each(LADDERS)('%s: %j', climb);
});

/** Checks the effect of each rung on the prompts, the limits and the work tree. */
function showsItsEffects(made: Project, issue: string, expected: readonly (string | null)[]): void {
  for (const [index, type] of expected.entries()) {
    const number = index + 1;
    const { facts, decisions } = made.iteration(number);
    const next = number < made.iterations().length ? made.promptOf(number + 1) : null;
    const plan = decisions.interventions?.find(({ record }) => record.issue === issue)?.plan;
    switch (type) {
      case SOFT:
        if (next === null || plan?.type !== SOFT) break;
        // The text is '' where the feedback on the attempt already says it.
        if (plan.text !== '') expect(next).toContain(plan.text.split('\n')[0]);
        else expect(next).toContain(decisions.feedback[0]?.text.split('\n')[0] ?? 'feedback');
        break;
      case REINFORCE:
        if (next === null) break;
        expect(next).toContain('**REINFORCED CONTEXT**');
        break;
      case THROTTLE: {
        if (plan?.type !== THROTTLE) throw new Error('there is a plan');
        const after = made.iteration(number + 1).facts.limits;
        expect(after).toEqual(plan.limits);
        expect(after?.fileOperations).toBeLessThan(facts.limits?.fileOperations ?? 0);
        expect(next).toContain(String(plan.limits.fileOperations));
        break;
      }
      case ROLLBACK: {
        if (plan?.type !== ROLLBACK) throw new Error('there is a plan');
        expect(decisions.failedAttempt).toBe(true);
        const target = facts.checkpoints?.find(({ id }) => id === plan.checkpoint);
        if (next !== null) expect(made.iteration(number + 1).facts.changes.before.tree).toBe(target?.tree);
        if (next !== null) expect(next).toContain(plan.text.split('\n')[0]);
        // What a rollback took away is a checkpoint of its own.
        const kept = expected.slice(0, number).filter((one) => one === ROLLBACK).length;
        expect(made.git('rev-parse', `refs/ralph/checkpoints/kept/${kept}^{tree}`).trim()).toBe(
          facts.changes.after.tree,
        );
        break;
      }
      case STOP:
        showsTheIncident(made, issue);
        break;
      default:
        break;
    }
  }
}

function showsTheIncident(made: Project, issue: string): void {
  const report = JSON.parse(made.read('.ralph/incidents/INC-1.json'));
  expect(report).toMatchObject({ id: 'INC-1', issue: { type: issue } });
  expect(processesIn(made)).toEqual([]);
  const again = made.json('run');
  expect(again.exit_code).toBe(rungs(made, issue)[0] === STOP ? 8 : 5);
  expect(JSON.stringify(again)).toContain('ralph resume INC-1');
}

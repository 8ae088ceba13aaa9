import type { WholeReport } from '../../../src/app/commands/report-page.ts';

type Attempt = WholeReport['attempts'][number];
type Report = WholeReport['report'];

const BEGIN = Date.parse('2030-01-31T21:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();

/**
 * Returns a report in which every fourth task first has a failed attempt and every tenth stays blocked; `text` is used
 * wherever an agent or a repository writes.
 */
export function wholeReport({
  iterations = 12,
  workers = 2,
  text = (what: string) => what,
}: {
  readonly iterations?: number;
  readonly workers?: number;
  readonly text?: (what: string) => string;
} = {}): WholeReport {
  const attempts: Attempt[] = [];
  for (let number = 1; attempts.length < iterations; number += 1) {
    const verdicts =
      number % 10 === 0
        ? (['gates_failed', 'false_completion', 'no_files'] as const)
        : number % 4 === 0
          ? (['gates_failed', 'done'] as const)
          : (['done'] as const);
    for (const verdict of verdicts) {
      if (attempts.length === iterations) break;
      attempts.push(attemptOf(number, attempts.length + 1, { verdict, workers, text }));
    }
  }
  const ids = [...new Set(attempts.map(({ task_id }) => task_id ?? ''))];
  const newest = new Map(attempts.map((one) => [one.task_id ?? '', one]));
  const last = (id: string) => newest.get(id) as Attempt;
  const done = ids.filter((id) => last(id).verdict === 'done');
  const blocked = ids.filter((id) => last(id).verdict !== 'done');
  const endMs = Math.max(...attempts.map((one) => Date.parse(one.started_at ?? '') + (one.duration_ms ?? 0)));
  return {
    project: text('shop'),
    made_at: iso(endMs),
    report: reportOf({ attempts, done, blocked, endMs, last, text }),
    runs: [
      {
        ...{ run: 'r-20300131-210000-1', agent: 'claude', started_at: iso(BEGIN), ended_at: iso(endMs) },
        ...{
          duration_ms: endMs - BEGIN,
          iterations,
          done,
          blocked,
          ending: 'all_blocked' as const,
          exit_code: 4,
        },
      },
    ],
    attempts,
    gone: 0,
    interventions: {
      story: attempts
        .filter(({ verdict }) => verdict !== 'done')
        .map(({ iteration, run, started_at, task_id }) => ({
          ...{ iteration, run, at: started_at ?? '', task_id, agent: text('claude') },
          ...{ severity: 'warning' as const, what: text('claimed done, but gate "test" failed') },
          ...{
            done: ['warned, prompt restated'],
            outcome: 'fixed in the next attempt',
            events: [`e-${iteration}`],
          },
        })),
      applied: [
        { type: 'soft_correction', applied: 9, helped: 6, not_helped: 2, no_further_attempt: 1, open: 0 },
        {
          type: 'context_reinforcement',
          applied: 2,
          helped: 1,
          not_helped: 1,
          no_further_attempt: 0,
          open: 0,
        },
      ],
    },
    human: {
      open: [
        {
          ...{
            id: 'G-3',
            gate: 'GATE-AP-DESTRUCTIVE',
            task_id: ids[0] ?? 'T-1',
            severity: 'high',
            at: iso(BEGIN + 5e6),
          },
          ...{
            deadline: null,
            why: text('4 tests were removed'),
            action: text('git push --force origin main'),
          },
        },
      ],
      incidents: [],
      decided: [
        {
          ...{ id: 'G-1', gate: 'MANUAL', task_id: ids[1] ?? 'T-2', run: 'r-20300131-210000-1' },
          ...{
            at: iso(BEGIN + 2e6),
            option: 'approve',
            reason: text('the migration is wanted'),
            user: text('you@example.org'),
          },
        },
      ],
    },
    changes: ids.map((id, at) => ({
      task_id: id,
      files: [
        { path: text(`src/price/part-${at}.ts`), lines_added: 6, lines_removed: 1 },
        { path: text(`test/part-${at}.test.ts`), lines_added: 9, lines_removed: 0 },
      ],
      patch: patchOf(at, text),
      is_cut: false,
    })),
  };
}

function attemptOf(
  number: number,
  iteration: number,
  {
    verdict,
    workers,
    text,
  }: {
    readonly verdict: 'done' | 'gates_failed' | 'false_completion' | 'no_files';
    readonly workers: number;
    readonly text: (what: string) => string;
  },
): Attempt {
  const worker = ((iteration - 1) % workers) + 1;
  const at = BEGIN + Math.floor((iteration - 1) / workers) * 300_000 + worker * 9_000;
  const isDone = verdict === 'done';
  const failed = { exit_code: 1, type: 'false_completion', severity: 'high' as const };
  return {
    ...{ iteration, run: 'r-20300131-210000-1', folder: `.ralph/runs/r/iterations/${iteration}` },
    ...{
      task_id: text(`T-${number}`),
      title: text(`Prices with discounts, part ${number}`),
      agent: text('claude'),
    },
    ...{
      attempt: 1,
      worker,
      state: 'finished',
      started_at: iso(at),
      duration_ms: 120_000 + ((iteration * 37) % 160) * 1000,
    },
    ...{ show: 'failed', transcript: [], notes: [], output: '', prompt: '', errors: '' },
    verdict,
    cause: text(
      isDone ? '2 files changed, test passes.' : 'test: expected 90 to be 80. Not accepted as done.',
    ),
    findings: isDone
      ? []
      : [
          {
            type: failed.type,
            severity: failed.severity,
            summary: text('Claimed done; gate "test" failed.'),
          },
        ],
    interventions: isDone
      ? []
      : [
          {
            type: 'soft_correction',
            issue_type: 'false_completion',
            why: text('first false claim of this task'),
          },
        ],
    denied:
      iteration % 5 === 0
        ? [
            {
              action: text('rm -rf ../shop-data'),
              reason: text('It deletes outside of the repository.'),
              rule: 'outside',
              severity: 'high',
            },
          ]
        : [],
    gates: [
      {
        name: text('test'),
        outcome: isDone ? 'passed' : 'failed',
        standing: isDone ? ('passed' as const) : ('regression' as const),
        why: null,
        duration_ms: 4200,
        results: null,
        output: '',
      },
    ],
    changes: [],
    roles: [],
    failing: isDone
      ? null
      : {
          gate: text('test'),
          since: 'work',
          lines: [text('failing: price > takes 10 % off'), text('AssertionError: expected 90 to be 80')],
        },
    spent: { tokens: 41_000, cost_usd: 0.21, estimated_usd: 0 },
    proof: isDone
      ? {
          grade: 'tests',
          witnesses: [
            {
              gate: text('test'),
              status: 'alive',
              fail_to_pass: [text('price > takes 10 % off'), text('price > rounds to cents')],
            },
          ],
          changed_demands: [],
          against: [],
          checks: [
            {
              command: text('node check.mjs --discounts'),
              criterion: null,
              before: 'failed',
              after: 'passed',
            },
          ],
          mutants: [
            {
              path: text('src/price/part.ts'),
              line: 12,
              kind: 'negate',
              killed: true,
              before: text('if (off > 0)'),
              after: text('if (!(off > 0))'),
            },
            {
              path: text('src/price/part.ts'),
              line: 14,
              kind: 'constant',
              killed: false,
              before: text('const cents = 100;'),
              after: text('const cents = 101;'),
            },
          ],
          criteria: [
            {
              text: text('A discount of 10 % is taken off'),
              status: 'shown',
              why: text('test/part.test.ts asserts it'),
            },
          ],
        }
      : null,
  } as Attempt;
}

function patchOf(at: number, text: (what: string) => string): string {
  const path = `src/price/part-${at}.ts`;
  return `${[
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    '@@ -1,3 +1,8 @@',
    ' export const base = 100;',
    `-export const price = base;`,
    ...Array.from(
      { length: 6 },
      (_, line) => `+${text(`export const price${line} = round(base * (1 - discounts[${line}]));`)}`,
    ),
  ].join('\n')}\n`;
}

function reportOf({
  attempts,
  done,
  blocked,
  endMs,
  last,
  text,
}: {
  readonly attempts: readonly Attempt[];
  readonly done: readonly string[];
  readonly blocked: readonly string[];
  readonly endMs: number;
  readonly last: (id: string) => Attempt;
  readonly text: (what: string) => string;
}): Report {
  const total = done.length + blocked.length + 2;
  const counts = new Map<string, number>();
  for (const { task_id } of attempts) counts.set(task_id ?? '', (counts.get(task_id ?? '') ?? 0) + 1);
  const of = (id: string) => counts.get(id) ?? 0;
  return {
    ...{ run: 'r-20300131-210000-1', runs: ['r-20300131-210000-1'], agent: text('claude'), mode: 'speed' },
    ...{ started_at: iso(BEGIN), ended_at: iso(endMs), ending: 'all_blocked', ended_with: 4 },
    ...{ reason: text('The remaining tasks need you.'), duration_ms: endMs - BEGIN },
    ...{ headline: text('9 of 12 tasks done, 3 need you.'), counts: '9 of 12 tasks done, 3 need you.' },
    time: { agent_ms: 5e6, checks_ms: 1e6, waited_ms: 0, other_ms: 1e5 },
    speed_up: { workers: 2, work_ms: 6e6, factor: 1.7, conflicts: 1, lost_ms: 1e5 },
    iterations: attempts.length,
    tasks: { total, done: done.length, unverified: 0, blocked: blocked.length, open: 2 },
    tree: {
      state: 'green',
      passing: [text('test'), text('lint')],
      failing: [],
      tests: [],
      empty: [],
    },
    done_in_run: done.map((id) => ({
      ...{ id, title: last(id).title ?? '', status: 'done' as const, attempts: of(id), conflicts: 0 },
      duration_ms: of(id) * (last(id).duration_ms ?? 0),
      spent: { tokens: 41_000 * of(id), cost_usd: 0.21 * of(id), estimated_usd: 0 },
      ...{
        false_claims: of(id) - 1,
        commits: ['0a0fb6325500000000'],
        branch: null,
        signs: id.endsWith('7') ? [text('test/part.test.ts:7: a test is skipped')] : [],
      },
      ...{ grade: 'tests' as const, mutants: { tried: 2, killed: 1, left_out: 0 } },
      criteria: [
        {
          text: text('A discount of 10 % is taken off'),
          standing: 'shown' as const,
          why: text('test/part.test.ts asserts it'),
        },
      ],
    })),
    unfinished: [
      ...blocked.map((id, at) => ({
        ...{ id, title: last(id).title ?? '', status: 'blocked' as const, group: 'you' as const },
        why: text('Failed 3 times. test: expected 90 to be 80'),
        failing: last(id).failing,
        ...{
          same_as: at === 0 ? [] : [blocked[0] ?? ''],
          next: text(`ralph logs ${last(id).iteration} --failed`),
        },
        ...{
          waits_for: [],
          work: {
            ...{ kind: 'kept' as const, command: `ralph take ${id}` },
            paths: [text('src/price/part.ts')],
          },
          recovery: [],
        },
      })),
      ...['T-9001', 'T-9002'].map((id) => ({
        ...{
          id: text(id),
          title: text('Bills as PDF'),
          status: 'open' as const,
          group: 'not_started' as const,
          why: 'not started',
        },
        ...{
          failing: null,
          same_as: [],
          next: 'ralph run',
          waits_for: [],
          work: { kind: 'none' as const },
          recovery: [],
        },
      })),
    ],
    push: {
      ...{ remote: 'origin', branch: 'ralph/main', commit: null, pull_request: null },
      problem: {
        reason: text('your pre-push hook ended with 1: tests fail.'),
        next: 'git push origin main:ralph/main',
      },
    },
    not_committed: [
      {
        ...{ id: done[0] ?? '', title: text('Prices'), next: 'ralph land' },
        why: text('src/price.ts has changes of yours.'),
      },
    ],
    ...{ lies_caught: 3, false_claims: [{ task_id: done[0] ?? '', count: 3 }], commands_refused: 1 },
    refused_hosts: [{ setting: 'network', hosts: [text('example.org')] }],
    ...{
      commands_rewritten: 0,
      failed_rules: [],
      unreachable: [text('Not everything got through by telegram: Telegram answered 502.')],
      unchecked: [],
      built_anew: null,
      sign_ins_kept: [text("The sign-in of claude changed in the box and wasn't carried back.")],
    },
    review_summary: { total: 812, allowed: 790, warned: 12, modified: 2, blocked: 8 },
    blocked_actions: [],
    denied_actions: { count: 2, begun: 0, iterations: [5, 10] },
    retried: [{ agent: 'claude', tries: 3, waited_ms: 40_000, answer: 'the service says 503' }],
    gate_lost: [{ agent: text('codex'), why: text('its hook did not answer') }],
    spent: { tokens: 41_000 * attempts.length, cost_usd: 0.21 * attempts.length, estimated_usd: 0 },
    budget: {
      limits: { usd: 300, tokens: 0, ms: 0, iterations: 0 },
      spent: { usd: 0.21 * attempts.length, tokens: 41_000 * attempts.length, ms: 0, iterations: 0 },
    },
    per_verified_task: { duration_ms: 300_000, spent: { tokens: 52_000, cost_usd: 0.27, estimated_usd: 0 } },
    prover: null,
    roles: [],
    deferred_warnings: 0,
    proposals: [],
    next: [text('ralph approvals'), 'ralph retry-blocked'],
  } as Report;
}

import { describe, expect, it } from 'vitest';
import { loaded, problems } from './load.ts';

const GATE = 'human.gates';

/** Section, key, the value that everyone has, another one, and what the warning says of it. */
const FIXED: readonly (readonly [
  section: string,
  key: string,
  usual: unknown,
  other: unknown,
  why: string,
])[] = [
  ['gates', 'on_missing', 'fail', 'warn', 'keeps runs from starting'],
  ['proof', 'when', 'missing', 'always', 'no Check:'],
  ['proof', 'mutant_time', 120, 60, '2 minutes'],
  ['prompt', 'notes_limit', 20000, 1, '20,000'],
  ['prompt', 'feedback_limit', 12000, 1, '12,000'],
  ['interventions.context_reinforcement', 'max_attempts', 0, 1, 'soft_correction'],
  ['interventions.resource_throttling', 'max_attempts', 0, 1, 'soft_correction'],
  ['interventions.checkpoint_rollback', 'max_attempts', 0, 1, 'soft_correction'],
  ['interventions.emergency_stop', 'max_attempts', 0, 1, 'soft_correction'],
  ['adaptive_timeout', 'linger', 60, 0, 'a minute'],
  ['snapshot', 'max_file_mb', 0, 10, 'any size'],
  ['interventions', 'max_interventions_per_run', 0, 4, 'max_interventions_per_task'],
  ['checkpoints', 'keep', 20, 5, 'newest 20'],
  ['notify', 'webhook_format', 'json', 'slack', 'the address decides'],
  ['notify', 'email', [], ['me@example.org'], '[notify] command'],
  ['interventions', 'max_events', 1000, 10, 'newest 1000'],
  ['output', 'keep_runs', 50, 5, '50 runs'],
  ['output', 'humour', true, false, 'Wiggum Break'],
  ['review.risk', 'file_read', 0.1, 0.2, 'thresholds'],
  ['review.risk', 'file_creation', 0.3, 0.2, 'thresholds'],
  ['review.risk', 'file_modification', 0.4, 0.2, 'thresholds'],
  ['review.risk', 'network_request', 0.6, 0.2, 'thresholds'],
  ['review.risk', 'system_command', 0.7, 0.2, 'thresholds'],
  ['review.risk', 'file_deletion', 0.8, 0.2, 'thresholds'],
  ['review.risk', 'unknown', 0.8, 0.2, 'thresholds'],
  ['review.risk', 'out_of_scope', 0.3, 0.2, 'thresholds'],
  ['review.risk', 'privilege', 0.2, 0.3, 'thresholds'],
  ['review.risk', 'dangerous_pattern', 0.2, 0.3, 'thresholds'],
  ['review.risk', 'repeated_failures', [0.1, 0.2, 0.4], [0, 0, 0], 'thresholds'],
  ['review.risk', 'allow_first_time', true, false, 'the first time'],
  ['review.rationality', 'goal_alignment', 0.4, 1, 'weights'],
  ['review.rationality', 'progression', 0.3, 1, 'weights'],
  ['review.rationality', 'efficiency', 0.2, 1, 'weights'],
  ['review.rationality', 'completeness', 0.1, 1, 'weights'],
  ['human', 'whitelist_days', 90, 30, '90 days'],
  [`${GATE}.GATE-AP-RECOVERY`, 'enabled', true, false, 'always on'],
  [`${GATE}.GATE-AP-FALSE-POSITIVE`, 'enabled', true, false, 'always on'],
  [`${GATE}.GATE-AP-DESTRUCTIVE`, 'enabled', true, false, 'always on'],
  [`${GATE}.MANUAL`, 'enabled', true, false, 'always on'],
  [`${GATE}.GATE-AP-RECOVERY`, 'retention_days', 90, 9, '90 days'],
  [`${GATE}.GATE-AP-FALSE-POSITIVE`, 'retention_days', 365, 9, '365 days'],
  [`${GATE}.GATE-AP-DESTRUCTIVE`, 'retention_days', 365, 9, '365 days'],
  [`${GATE}.MANUAL`, 'retention_days', 90, 9, '90 days'],
  [`${GATE}.GATE-AP-RECOVERY`, 'signature', false, true, 'never need a signature'],
  [`${GATE}.MANUAL`, 'signature', false, true, 'never need a signature'],
  [`${GATE}.GATE-AP-DESTRUCTIVE`, 'signature', 'critical', false, 'severity is critical'],
  [`${GATE}.MANUAL`, 'on_timeout', 'block', 'escalate', 'denied'],
  ['policy.checkpoint', 'stop_above', 0.8, 1, '80 %'],
  ['notify', 'tries', 3, 1, '3 times'],
  ['notify', 'retry_delay', 1, 2, '1 s'],
  ['notify', 'timeout', 10, 2, '10 s'],
];

describe('what is the same for everyone', () => {
  it.each(FIXED)('[%s] %s = %j is fine', (section, key, usual) => {
    const text = `[${section}]\n${key} = ${JSON.stringify(usual)}\n`;
    expect(problems(text)).toEqual([]);
    expect(loaded(text).warnings).toEqual([]);
  });

  it.each(FIXED)(
    '[%s] %s: another value than %j is a warning that says what happens',
    (section, key, _, other, why) => {
      const text = `[${section}]\n${key} = ${JSON.stringify(other)}\n`;
      expect(problems(text)).toEqual([]);
      const { warnings } = loaded(text);
      expect(warnings.map(({ line }) => line)).toEqual([2]);
      expect(warnings[0]?.message).toContain(`[${section}] ${key} has no effect: `);
      expect(warnings[0]?.message).toContain(why);
    },
  );

  it('an empty section that has no keys is fine', () => {
    expect(problems('[output]\n')).toEqual([]);
  });
});

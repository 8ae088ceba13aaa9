import type { Severity } from 'ralph-kit/severity';
import { expect, it } from 'vitest';
import { stopScope } from '../../../src/respond/intervene/plan-for.ts';
import { finding } from './inputs.ts';

const CASES: readonly (readonly [type: string, severity: Severity, scope: string])[] = [
  ['critical_security_violation', 'critical', 'run'],
  ['state_tampering', 'critical', 'run'],
  ['state_tampering', 'high', 'task'],
  ['no_files', 'medium', 'task'],
  ['hallucination', 'high', 'task'],
  ['my_issue', 'critical', 'task'],
];

it.each(CASES)('%s, %s: %s', (type, severity, scope) => {
  const one = finding(type, { severity });
  expect(stopScope([one], { stop: 'task' })).toBe(scope);
  expect(stopScope([finding('no_files'), one], { stop: 'task' })).toBe(scope);
  expect(stopScope([one], { stop: 'run' })).toBe('run');
});

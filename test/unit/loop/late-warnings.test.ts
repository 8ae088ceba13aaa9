import type { Ruling } from 'ralph-kit/actions/action';
import { expect, it } from 'vitest';
import { openLateWarnings } from '../../../src/loop/watch/review-session.ts';
import { actionOf } from '../../helpers/action.ts';

const bash = (command: string, id: string) => actionOf('Bash', { command }, { id });
const WARN: Ruling = { decision: 'warn', rule: 'r', reason: 'mind it' };
const ALLOW: Ruling = { decision: 'allow' };

it('a warning comes with the end of its own call, once, whatever number that has', () => {
  const warnings = openLateWarnings();
  warnings.keep(bash('rm -r old', '1'), WARN);
  warnings.keep(bash('ls', '2'), ALLOW);
  expect(warnings.take(bash('ls', '2'))).toEqual(ALLOW);
  expect(warnings.take(bash('rm -r old', 'other'))).toEqual(WARN);
  expect(warnings.take(bash('rm -r old', '1'))).toEqual(ALLOW);
});

it('calls that never end are forgotten, the oldest first', () => {
  const warnings = openLateWarnings();
  for (let index = 0; index < 200; index += 1) warnings.keep(bash(`rm -r ${index}`, ''), WARN);
  expect(warnings.take(bash('rm -r 0', ''))).toEqual(ALLOW);
  expect(warnings.take(bash('rm -r 199', ''))).toEqual(WARN);
});

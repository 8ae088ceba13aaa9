import type { GateJudgement, GateOutcome } from '../../domain/gate.ts';

/**
 * How a gate stands that could not run. What ran and passed before the attempt went missing in it: removing a check is
 * no way to pass it. Required means passed, whatever was missing before.
 */
export function standingOfMissing(
  before: GateOutcome | undefined,
  required: boolean,
): GateJudgement['standing'] {
  if (before?.kind === 'passed') return 'regression';
  return required ? 'required_failed' : 'tool_missing';
}

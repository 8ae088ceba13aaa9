import type { InterventionSettings } from '../../domain/config.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import type { StopScope } from '../../domain/intervention.ts';

/** What endangers more than the task at hand: secrets, and what ralph runs or you approved. */
const RUN_WIDE: ReadonlySet<string> = new Set(['critical_security_violation', 'state_tampering']);

/** How far an emergency stop reaches: all runs until you resolve it, or the task alone, which waits for you. */
export function stopScope(
  findings: readonly Finding[],
  { stop }: Pick<InterventionSettings, 'stop'>,
): StopScope {
  const isRunWide = findings.some(({ severity, type }) => severity === 'critical' && RUN_WIDE.has(type));
  return stop === 'run' || isRunWide ? 'run' : 'task';
}

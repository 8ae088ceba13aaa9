import * as z from 'zod/mini';

/** How grave a finding is for the decisions, mildest first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

/** The gravest of them; `null` where there is none. */
export function gravestOf(severities: readonly Severity[]): Severity | null {
  return SEVERITIES.findLast((one) => severities.includes(one)) ?? null;
}

/** A severity by its name, in capitals or not; `null`: no severity is called so. */
export function severityNamed(name: string | undefined): Severity | null {
  return SEVERITIES.find((one) => one === name?.toLowerCase()) ?? null;
}

/** How an event is shown to you. */
export const EventSeverity = z.enum(['info', 'warning', 'critical']);
export type EventSeverity = z.infer<typeof EventSeverity>;

/** Below this a sign of avoided work doesn't act, 0 to 1. */
export const SURE_DETECTION = 0.7;

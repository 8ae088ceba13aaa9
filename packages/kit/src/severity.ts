import * as z from 'zod/mini';

/** Severities of findings, mildest first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export function gravestOf(severities: readonly Severity[]): Severity | null {
  return SEVERITIES.findLast((one) => severities.includes(one)) ?? null;
}

export function severityNamed(name: string | undefined): Severity | null {
  return SEVERITIES.find((one) => one === name?.toLowerCase()) ?? null;
}

export const EventSeverity = z.enum(['info', 'warning', 'critical']);
export type EventSeverity = z.infer<typeof EventSeverity>;

/** Minimum confidence, 0 to 1, for a sign of avoided work to have an effect. */
export const SURE_DETECTION = 0.7;

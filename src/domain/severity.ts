import * as z from 'zod/mini';

/** How grave a finding is for the decisions, mildest first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

/** How an event is shown to you. */
export const EventSeverity = z.enum(['info', 'warning', 'critical']);
export type EventSeverity = z.infer<typeof EventSeverity>;

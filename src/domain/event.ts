import * as z from 'zod/mini';

export const EVENT_TYPES = [
  'no_files_detected',
  'evidence_validation_failed',
  'false_completion_detected',
  'mid_stream_prompt_injected',
  'agent_reinforced',
  'attempt_failed',
  'gate_regression',
  'state_tampering',
  'threshold_exceeded',
  'task_blocked',
  'agent_unavailable',
  'unreviewed_action',
  'action_denied',
  'repetitive_errors',
  'scope_creep',
  'goal_drift',
  'resource_spiral',
  'hallucination',
  'oscillation',
  'critical_security_violation',
  /** An issue of a detector that is not built in; `details.issue` names it. */
  'pattern_detected',
  'intervention_applied',
  /** The interventions of a task or run are used up. */
  'intervention_limit',
  'handler_failed',
  'notification_failed',
] as const;
export const EventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof EventType>;

export const EventSeverity = z.enum(['info', 'warning', 'critical']);
export type EventSeverity = z.infer<typeof EventSeverity>;

/** An entry of `.ralph/interventions/events.json`, in the documented form (spec 1-loop, Detection). */
export const InterventionEvent = z.looseObject({
  id: z.string(),
  iteration: z.number(),
  run: z.string(),
  worker: z.number(),
  event_type: EventType,
  /** ISO 8601 UTC. */
  timestamp: z.string(),
  severity: EventSeverity,
  details: z.record(z.string(), z.unknown()),
  remediation_attempted: z.boolean(),
});
export type InterventionEvent = z.infer<typeof InterventionEvent>;

/** An event before the store has given it its id, time and place. */
export const EventDraft = z.object({
  event_type: EventType,
  severity: EventSeverity,
  details: z.record(z.string(), z.unknown()),
  remediation_attempted: z.boolean(),
});
export type EventDraft = z.infer<typeof EventDraft>;

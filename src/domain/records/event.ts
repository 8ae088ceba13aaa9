import { EventSeverity } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { FINDING_EVENTS } from '../findings/index.ts';

export const EVENT_TYPES = [
  ...FINDING_EVENTS,
  /** An issue found by one of your own detectors; `details.issue` names it. */
  'pattern_detected',
  'attempt_failed',
  'mid_stream_prompt_injected',
  'agent_reinforced',
  'threshold_exceeded',
  'task_blocked',
  /** A gate's command, or a file that it runs, changed. */
  'gate_changed',
  'agent_unavailable',
  'intervention_applied',
  'intervention_limit',
  /** A step of a recovery from a finding that corrections didn't cure, or the recovery's end. */
  'recovery',
  'handler_failed',
  'notification_failed',
  /** A circuit breaker stopped the run (docs/POLICIES.md). */
  'wiggum.break',
  /** An attempt called a command that only you may use, because it decides for you. */
  'command_refused',
  /**
   * A requested host isn't listed in `[box] network` or `gate_network`. `details.setting` and `entry` name the key and
   * the missing entry.
   */
  'host_refused',
  /** A sign-in changed in an agent's box in a way that no refresh causes, so it wasn't copied back. */
  'sign_in_kept',
  /** Your own hook changed an agent's command after ralph's review. */
  'command_rewritten',
  'rule_failed',
  /**
   * A shadow: a strength that a role, or the whole workflow, overdid. `details.issue` names it; the event has the next
   * step.
   */
  'shadow_detected',
  /** A role other than the maker wrote to the work tree or to its copy. `details.paths` lists the paths. */
  'role_wrote',
] as const;
export const EventType = z.enum(EVENT_TYPES);

/** An entry of `.ralph/interventions/events.json` in the documented form (`schemas/events.v1.schema.json`). */
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

export const EventDraft = z.object({
  event_type: EventType,
  severity: EventSeverity,
  details: z.record(z.string(), z.unknown()),
  remediation_attempted: z.boolean(),
});
export type EventDraft = z.infer<typeof EventDraft>;

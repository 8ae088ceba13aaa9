import * as z from 'zod/mini';
import { EventSeverity } from '../../lib/severity.ts';
import { FINDING_EVENTS } from '../findings/index.ts';

export const EVENT_TYPES = [
  ...FINDING_EVENTS,
  /** An issue of one of your own detectors; `details.issue` names it. */
  'pattern_detected',
  'attempt_failed',
  'mid_stream_prompt_injected',
  'agent_reinforced',
  'threshold_exceeded',
  'task_blocked',
  /** What a gate runs is another now. */
  'gate_changed',
  /** The attempt replaced uncommitted work of yours, or the task asked for that: a checkpoint holds it. */
  'agent_unavailable',
  'intervention_applied',
  /** The interventions of a task or run are used up. */
  'intervention_limit',
  /** A finding that its corrections did not cure: an attempt to recover, or how that ended. */
  'recovery',
  'handler_failed',
  'notification_failed',
  /** A circuit breaker stopped the run (docs/POLICIES.md). */
  'wiggum.break',
  /** A command that decides for you was called from inside of an attempt. */
  'command_refused',
  /** A host that `[box] network` or `gate_network` doesn't list was asked for; `details.setting` and `entry` are what would allow it. */
  'host_refused',
  /** A sign-in changed in an agent's box in a way that no refresh does, and was not carried back. */
  'sign_in_kept',
  /** Something beside ralph changed a command of the agent after its review: a hook of yours. */
  'command_rewritten',
  'rule_failed',
  /** A shadow of a role or of the system, with the step that follows; `details.issue` names it. */
  'shadow_detected',
  /** A role other than the maker's wrote to the work tree, or to its copy of it; `details.paths`. */
  'role_wrote',
] as const;
export const EventType = z.enum(EVENT_TYPES);

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

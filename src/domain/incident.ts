import { Severity } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { Finding } from './findings/finding.ts';
import { InterventionRecord, Limits, Resources, StopScope } from './intervention.ts';
import { ObservedAction } from './observed.ts';

/** Your choices after an emergency stop (docs/INTERVENTIONS.md). */
export const RESUME_OPTIONS = [
  'resume_with_limits',
  'rollback_and_retry',
  'manual_intervention',
  'abort',
] as const;
export const ResumeOption = z.enum(RESUME_OPTIONS);
export type ResumeOption = z.infer<typeof ResumeOption>;

export const IncidentSummary = z.object({
  id: z.string(),
  /** ISO 8601 UTC. */
  at: z.string(),
  run: z.string(),
  iteration: z.number(),
  taskId: z.string(),
  issue: z.string(),
  severity: Severity,
  summary: z.string(),
  scope: StopScope,
  /** How you resolved the incident; `null`: it is open. */
  resolved: z.nullable(z.object({ at: z.string(), option: ResumeOption, reason: z.string() })),
});
export type IncidentSummary = z.infer<typeof IncidentSummary>;

export type Incidents = { readonly incidents: readonly IncidentSummary[] };

/** Returns the command that resolves an incident; without an option, it lists the options. */
export function resumeCommand(incident: string, option: ResumeOption | null = null): string {
  return `ralph resume ${incident}${option === null ? '' : ` --option ${option}`}`;
}

/** Returns the open incidents, oldest first. */
export function openIncidents({ incidents }: Incidents): readonly IncidentSummary[] {
  return incidents.filter(({ resolved }) => resolved === null);
}

/** Returns the newest open incident that pauses all runs; `null`: there is none. */
export function pausingIncident(state: Incidents): IncidentSummary | null {
  return openIncidents(state).findLast(({ scope }) => scope === 'run') ?? null;
}

export function waitingIncidents(state: Incidents): readonly IncidentSummary[] {
  return openIncidents(state).filter(({ scope }) => scope === 'task');
}

export const INCIDENTS_KEPT = 100;
export const INCIDENT_ACTIONS = 50;

/** `.ralph/incidents/INC-N.json`: the report of an emergency stop, with all secrets redacted. */
export const IncidentReport = z.looseObject({
  $schema: z.literal('ralph.incident.v1'),
  id: z.string(),
  at: z.string(),
  run: z.string(),
  iteration: z.number(),
  task: z.object({ id: z.string(), title: z.string() }),
  agent: z.string(),
  /** Description in one sentence. */
  summary: z.string(),
  severity: Severity,
  issue: Finding,
  timeline: z.array(z.object({ at: z.string(), what: z.string() })),
  impact: z.object({
    files: z.array(z.object({ path: z.string(), change: z.string() })),
    resources: Resources,
    duration_ms: z.number(),
  }),
  root_cause: z.string(),
  contributing_factors: z.array(z.string()),
  recommendations: z.object({
    immediate: z.array(z.string()),
    preventive: z.array(z.string()),
    configuration: z.array(z.string()),
  }),
  /** Steps for you if there is no safe checkpoint to go back to, the most likely first. */
  recovery_plan: z.array(z.string()),
  recovery_options: z.array(
    z.object({ option: ResumeOption, description: z.string(), command: z.string(), possible: z.boolean() }),
  ),
  state_snapshot: z.object({
    attempt: z.number(),
    verdict: z.string(),
    tree_before: z.string(),
    tree_after: z.string(),
    limits: Limits,
    interventions: z.array(InterventionRecord),
    checkpoint: z.nullable(z.string()),
  }),
  last_actions: z.array(ObservedAction),
  pattern_detections: z.array(Finding),
  resource_usage: Resources,
});
export type IncidentReport = z.infer<typeof IncidentReport>;

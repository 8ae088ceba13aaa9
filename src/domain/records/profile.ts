import { own } from 'ralph-kit/own';
import * as z from 'zod/mini';
import { emptyOf } from '../empty-of.ts';
import { AgentProfile } from './state.ts';

/** Number of newest iterations that an agent's thresholds count (docs/INTERVENTIONS.md). */
export const PROFILE_WINDOW = 5;
/** Number of newest durations kept for each complexity level, from which the timeout is learned (docs/ADAPTIVE_TIMEOUT.md). */
export const PROFILE_DURATIONS = 50;
export const PROFILE_HISTORY = 20;

export function emptyProfile(agentId: string): AgentProfile {
  return { ...emptyOf(AgentProfile), agentId };
}

export type ProfileOutcome = {
  readonly iteration: number;
  readonly noFiles: boolean;
  readonly falseCompletion: boolean;
  readonly filesChanged: number;
  readonly evidenceCount: number;
  readonly done: boolean;
  readonly level: string;
  /**
   * Duration of the attempt; `null`: the attempt was cut short, so its duration doesn't show how long the work takes.
   */
  readonly durationMs: number | null;
  /** Class of the worker's machine; `undefined`: this machine. */
  readonly machine?: string | undefined;
  /** Time when the agent was reinforced, ISO 8601 UTC; `null`: not after this attempt. */
  readonly reinforcedAt: string | null;
  readonly thresholdExceeded: boolean;
  /** Why the agent is suspended; `null`: unchanged. */
  readonly suspend: string | null;
};

/** Returns the profile after one more attempt. Lists keep at most `PROFILE_WINDOW` and `PROFILE_DURATIONS` entries. */
export function advanceProfile(profile: AgentProfile, outcome: ProfileOutcome): AgentProfile {
  const { iteration, noFiles, falseCompletion, level } = outcome;
  const known = own(profile.levels, level);
  const { attempts, done, ...durations } = known ?? { attempts: 0, done: 0, durationsMs: [] };
  return {
    ...profile,
    totalIterations: profile.totalIterations + 1,
    noFilesCount: profile.noFilesCount + (noFiles ? 1 : 0),
    falseCompletionCount: profile.falseCompletionCount + (falseCompletion ? 1 : 0),
    filesChanged: profile.filesChanged + outcome.filesChanged,
    evidenceCount: profile.evidenceCount + outcome.evidenceCount,
    doneCount: profile.doneCount + (outcome.done ? 1 : 0),
    lastReinforcement: outcome.reinforcedAt ?? profile.lastReinforcement,
    thresholdExceeded: outcome.thresholdExceeded,
    suspended: outcome.suspend ?? profile.suspended,
    window: [...profile.window, { iteration, noFiles, falseCompletion }].slice(-PROFILE_WINDOW),
    levels: {
      ...profile.levels,
      [level]: {
        attempts: attempts + 1,
        done: done + (outcome.done ? 1 : 0),
        ...withDuration(durations, outcome),
      },
    },
  };
}

type Durations = Pick<AgentProfile['levels'][string], 'durationsMs' | 'elsewhere'>;

function withDuration(
  durations: Durations,
  { durationMs, machine }: Pick<ProfileOutcome, 'durationMs' | 'machine'>,
): Durations {
  if (durationMs === null) return durations;
  const known = [...durationsOn(durations, machine), durationMs].slice(-PROFILE_DURATIONS);
  if (machine === undefined) return { ...durations, durationsMs: known };
  return { ...durations, elsewhere: { ...durations.elsewhere, [machine]: known } };
}

/** Returns durations on one class of machine (`undefined`: this machine). Slow machines say nothing about fast ones. */
export function durationsOn(
  durations: Durations | undefined,
  machine: string | undefined,
): readonly number[] {
  if (machine === undefined) return durations?.durationsMs ?? [];
  return own(durations?.elsewhere ?? {}, machine) ?? [];
}

export function allDurations(durations: Durations | undefined): readonly number[] {
  return [...(durations?.durationsMs ?? []), ...Object.values(durations?.elsewhere ?? {}).flat()];
}

export const GoldProfile = {
  agent_id: z.string(),
  total_iterations: z.number(),
  no_files_count: z.number(),
  false_completion_count: z.number(),
  avg_files_per_iteration: z.number(),
  avg_evidence_count: z.number(),
  last_reinforcement: z.nullable(z.string()),
  intervention_threshold_exceeded: z.boolean(),
};

/** `.ralph/interventions/profile.json` in the form of ralph-gold, which has one agent. */
export const ProfileDocumentV1 = z.looseObject({
  $schema: z.literal('ralph_gold.profile.v1'),
  ...GoldProfile,
});

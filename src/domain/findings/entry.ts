import type { EventSeverity, Severity } from '../../lib/severity.ts';
import type { Task } from '../task.ts';

/** All that depends on the type of a finding, in one entry: a part that is missing does not compile. */
export type FindingEntry = {
  /** Name of its event in `.ralph/interventions/events.json`. */
  readonly event: string;
  /** How the event is shown to you; decisions go by the finding's own severity. */
  readonly eventSeverity: (facts: EventFacts) => EventSeverity;
  /** 0 to 1: how sure the detection is. */
  readonly confidence: number;
  /** 0 to 1: how much worse it makes the severity score. */
  readonly impactFactor: number;
  /** What the agent hears about it, in Markdown. */
  readonly correction: Correction;
  /** What it adds to a reinforced prompt. */
  readonly context: IssueContext;
  /** What the report of an emergency stop says about it. */
  readonly incident: (of: { readonly issue: string; readonly taskId: string }) => IncidentAdvice;
};

/** What the severity of an event depends on. */
export type EventFacts = {
  /** Of the finding. */
  readonly severity: Severity;
  readonly completionClaimed: boolean;
  /** The task needs changed files and there are none. */
  readonly lacksFiles: boolean;
  /** Some evidence can't be true. */
  readonly contradicted: boolean;
  /** A blocked action was critical: it reached for what protects you, or for what nothing brings back. */
  readonly criticalAction: boolean;
};

type Correction = {
  /** What is wrong, in a sentence. */
  readonly problem: (facts: IssueFacts) => string;
  /** What to do about it. */
  readonly steps: (facts: IssueFacts) => readonly string[];
  /** A different way for an attempt that starts over. */
  readonly alternative: string;
};

/** What a text about a finding is filled with, safe in Markdown; '' where there is none. */
export type IssueFacts = {
  readonly issue: string;
  readonly summary: string;
  readonly taskId: string;
  readonly taskTitle: string;
  /** Title and description of the task. */
  readonly request: string;
  readonly expectedPaths: string;
  /** The path and the error that the finding is about. */
  readonly path: string;
  readonly error: string;
  /** All the paths that it is about, the first few by name. */
  readonly paths: string;
  /** What the attempt used, as "41 file operations, 12,400 tokens, 812 MiB of memory, 12m 3s"; '' where that isn't known. */
  readonly resources: string;
};

/** (spec 3-interventions, Context reinforcement) */
type IssueContext = {
  /** Constraints that are added. */
  readonly constraints: readonly string[];
  /** Matches constraints of the configuration or the task that matter now. */
  readonly relevant: RegExp;
  readonly boundaries?: (task: Task) => readonly string[];
  /** What to do instead, shown by a case. */
  readonly example: string;
};

type IncidentAdvice = {
  /** The cause, as the beginning of a sentence that the finding's summary ends. */
  readonly cause: string;
  /** What to do before anything runs again. */
  readonly immediate: readonly string[];
  /** What keeps it from happening again, in the task or the project. */
  readonly preventive: readonly string[];
  /** Settings of ralph.toml that matter here. */
  readonly settings: readonly string[];
};

const EVENT_SEVERITY: Readonly<Record<Severity, EventSeverity>> = {
  low: 'info',
  medium: 'warning',
  high: 'warning',
  critical: 'critical',
};

export function bySeverity({ severity }: EventFacts): EventSeverity {
  return EVENT_SEVERITY[severity];
}

export function weightSetting(issue: string): string {
  return `[interventions.weights.${issue}] confidence, impact_factor: lower values delay the stop.`;
}

export function narrowTask(taskId: string): string {
  return `Say in ${taskId} which files it is about, and split it if it is about many.`;
}

/** For findings that a task or a set-up causes as often as the agent. */
export function commonIncident(cause: string): FindingEntry['incident'] {
  return ({ issue, taskId }) => ({
    cause,
    immediate: [`See what was tried so far: ralph interventions --task ${taskId}`],
    preventive: [
      narrowTask(taskId),
      'Try what fails by hand: a missing tool or a broken set-up looks like this as well.',
    ],
    settings: ['[gates]: what has to pass, and its time limit.', weightSetting(issue)],
  });
}

/** For issues of your own detectors (`[interventions.handlers]`). */
export const HANDLER_ISSUE: FindingEntry = {
  event: 'pattern_detected',
  eventSeverity: bySeverity,
  confidence: 0.8,
  impactFactor: 0.3,
  correction: {
    problem: ({ summary }) => `A problem was found in your work: ${summary}.`,
    steps: () => ['Reconsider what you are doing against the request, and correct this before you continue.'],
    alternative: 'Take a different way than before, and check it early.',
  },
  context: {
    constraints: ['IMPORTANT: Keep to the request, and check each step against it'],
    relevant: /(?!)/,
    example: 'Before you end, read the request once more and compare it with what is in the files.',
  },
  incident: ({ issue }) => ({
    cause: `A detector of this project raised ${issue}`,
    immediate: [],
    preventive: [`Check what the detector of ${issue} goes by, and whether it was right.`],
    settings: [`[interventions.handlers] ${issue}: the module that raised it.`, weightSetting(issue)],
  }),
};

/** Checks made weaker instead of code made better; a detector of yours may raise it under this name as well. */
export const AVOIDANCE = {
  ...HANDLER_ISSUE,
  event: 'avoidance_detected',
  impactFactor: 0.5,
  correction: {
    problem: ({ summary, path }) =>
      `Your changes make the checks weaker instead of the code better${path && ` (in ${path})`}: ${summary}.`,
    steps: () => [
      'Restore the tests, assertions and settings as they were.',
      'Fix the implementation until they pass as they are.',
    ],
    alternative: 'Leave tests and settings alone, and change the implementation only.',
  },
  context: {
    constraints: [
      'IMPORTANT: Fix the code, not the check: tests, assertions and thresholds stay as they are',
    ],
    relevant: /\b(?:tests?|assert\w*|skip\w*|coverage|thresholds?|lint\w*)\b/i,
    boundaries: () => ['Tests and the settings of checks are not yours to weaken.'],
    example: 'An expected value does not match: change the function that returns it, not the expectation.',
  },
} as const satisfies FindingEntry;

import type { EventSeverity, Severity } from 'ralph-kit/severity';
import type { Task } from '../task.ts';

/** Everything about one type of finding. One object per type lets the compiler find missing parts. */
export type FindingEntry = {
  /** Name of the finding's event in `.ralph/interventions/events.json`; absent: the finding's type. */
  readonly event?: string;
  /** Severity on screen, by default that of `bySeverity`. Decisions use the finding's own severity instead. */
  readonly eventSeverity?: (facts: EventFacts) => EventSeverity;
  /** Confidence of the detection, 0 to 1. */
  readonly confidence: number;
  /** How much the finding raises the severity score, 0 to 1. */
  readonly impactFactor: number;
  /** Text of the correction for the agent, in Markdown. */
  readonly correction: Correction;
  readonly context: IssueContext;
  readonly incident: (of: { readonly issue: string; readonly taskId: string }) => IncidentAdvice;
};

export type EventFacts = {
  readonly severity: Severity;
  readonly completionClaimed: boolean;
  /** The task requires changed files, and none were changed. */
  readonly lacksFiles: boolean;
  readonly contradicted: boolean;
  /** A blocked action was critical: it was aimed at your protections, or at something that can't be restored. */
  readonly criticalAction: boolean;
};

type Correction = {
  readonly problem: (facts: IssueFacts) => string;
  readonly steps: (facts: IssueFacts) => readonly string[];
  readonly alternative: string;
};

/** Facts that are filled into a text about a finding, safe in Markdown; '' if unknown. */
export type IssueFacts = {
  readonly issue: string;
  readonly summary: string;
  readonly taskId: string;
  readonly taskTitle: string;
  /** Title and description of the task. */
  readonly request: string;
  readonly expectedPaths: string;
  readonly path: string;
  readonly error: string;
  /** Number of the finding's paths with the first few names. */
  readonly paths: string;
  /**
   * Resource use of the attempt, such as "41 file operations, 12,400 tokens, 812 MiB of memory, 12m 3s"; '' if unknown.
   */
  readonly resources: string;
};

/** Additions to a prompt (docs/INTERVENTIONS.md). */
type IssueContext = {
  readonly constraints: readonly string[];
  readonly relevant: RegExp;
  readonly boundaries?: (task: Task) => readonly string[];
  readonly example: string;
};

type IncidentAdvice = {
  /** The beginning of a sentence that ends with the finding's summary. */
  readonly cause: string;
  readonly immediate: readonly string[];
  readonly preventive: readonly string[];
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

/** Returns advice for findings that a task or a broken set-up causes as often as the agent does. */
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

/** The entry for issues of your own detectors (`[interventions.handlers]`). */
export const HANDLER_ISSUE: FindingEntry = {
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

/** The agent weakened checks instead of fixing the code. Your own detectors may raise this issue, too. */
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

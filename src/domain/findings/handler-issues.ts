import { bySeverity, type FindingEntry, weightSetting } from './entry.ts';

/** For issues of your own detectors (`[interventions.handlers]`). */
export const HANDLER_ISSUE: FindingEntry = {
  event: 'pattern_detected',
  eventSeverity: bySeverity,
  confidence: 0.8,
  impactFactor: 0.3,
  ladder: ['soft_correction', 'context_reinforcement', 'checkpoint_rollback'],
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
  ladder: ['soft_correction', 'checkpoint_rollback', 'emergency_stop'],
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

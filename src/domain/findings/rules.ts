import { bySeverity, type FindingEntry, HANDLER_ISSUE } from './entry.ts';

/**
 * Findings about forbidden actions, whatever the quality of the work. State tampering is certain, but has no higher
 * impact than a gate regression.
 */
export const RULES = {
  critical_security_violation: {
    confidence: 1,
    impactFactor: 1,
    correction: {
      problem: ({ summary }) => `What you did endangers people or data: ${summary}.`,
      steps: () => ['Stop this at once, and do not try it in another form.'],
      alternative: 'Do the task without secrets, and without commands that reach beyond the repository.',
    },
    context: HANDLER_ISSUE.context,
    incident: () => ({
      cause: 'The agent did, or was about to do, what must never happen',
      immediate: [
        'Revoke and replace every credential that is named, also when its file was put back: it was on the disk and may be in a commit or a log.',
        'Check the files below "impact" before anything is committed or pushed.',
      ],
      preventive: [
        'Keep credentials out of the repository and out of the environment that the agent gets.',
        'Run the agent as another user or in a sandbox.',
      ],
      settings: ['[review] require_gate = true: only agents run whose actions can be stopped.'],
    }),
  },

  state_tampering: {
    confidence: 1,
    impactFactor: 0.3,
    correction: {
      problem: ({ path }) => `You changed files that only ralph or its user writes${path && `: ${path}`}.`,
      steps: () => [
        'Do not edit the task list, the configuration, or anything under `.ralph/`.',
        'Doing it again stops the run.',
      ],
      alternative: 'Let the files show your work: ralph sets the status from them.',
    },
    context: {
      constraints: ['IMPORTANT: Never edit the task list, the configuration, or anything under `.ralph/`'],
      relevant: /\b(?:ralph|config\w*|task list|status|tracker)\b/i,
      boundaries: () => ['`.ralph/`, the task list and the configuration belong to ralph and its user.'],
      example: 'A task is finished: say so in the status block, and leave its checkbox alone.',
    },
    incident: () => ({
      cause: 'The agent changed files that only ralph or you write',
      immediate: ['Check these files: nothing was put back.'],
      preventive: [
        "Say in the prompt or in AGENTS.md that task list, configuration and approvals are not the agent's to edit.",
        'If it wanted to report progress, show it how: the RALPH_STATUS block of the prompt.',
      ],
      settings: ['[review] require_gate = true: such writes are denied before they happen.'],
    }),
  },

  unreviewed_action: {
    eventSeverity: () => 'critical',
    confidence: 1,
    impactFactor: 1,
    correction: {
      problem: ({ summary }) => `You acted without having been allowed to: ${summary}.`,
      steps: () => ['Use your ordinary tools alone, so that each action is reviewed before it happens.'],
      alternative: 'Use your ordinary tools alone.',
    },
    context: HANDLER_ISSUE.context,
    incident: () => ({
      cause: 'An action of the agent happened without a review',
      immediate: ['Check the version of the agent and its own settings: ralph doctor'],
      preventive: ['Pin the version of the agent, and try a new one with a small task first.'],
      settings: ['[review] require_gate = true: an agent without a working review hook is not started.'],
    }),
  },

  action_denied: {
    eventSeverity: (facts) => (facts.criticalAction ? 'critical' : bySeverity(facts)),
    confidence: 1,
    impactFactor: 0.3,
    correction: {
      problem: ({ summary }) => `You tried what is denied: ${summary}.`,
      steps: () => [
        'Do not try it again in another form.',
        'Find a way that does not need it, or report BLOCKED with what you would need.',
      ],
      alternative: 'Plan the task without the denied action from the beginning.',
    },
    context: {
      constraints: ['IMPORTANT: What was denied stays denied, in any other form too'],
      relevant: /\b(?:command\w*|delet\w*|network\w*|secret\w*|permission\w*|allow\w*|deny\w*|denied)\b/i,
      example:
        'Deleting a folder is denied: do not write a script that deletes it, but do the task without the deletion.',
    },
    incident: ({ taskId }) => ({
      cause: 'The agent insisted on an action that is denied',
      immediate: ['Decide whether the task needs that action. If so, do it yourself and say so in the task.'],
      preventive: [`Say in ${taskId} what is to be done instead of the denied action.`],
      settings: ['[review] enabled, require_gate: how actions are reviewed.'],
    }),
  },
} as const satisfies Readonly<Record<string, FindingEntry>>;

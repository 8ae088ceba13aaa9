import { commonIncident, type FindingEntry, weightSetting } from './entry.ts';

export const CLAIMS = {
  no_files: {
    event: 'no_files_detected',
    eventSeverity: ({ completionClaimed }) => (completionClaimed ? 'critical' : 'warning'),
    confidence: 1,
    impactFactor: 0,
    correction: {
      problem: () => 'Your attempt ended without a changed file.',
      steps: () => [
        'Begin with a call of your write or edit tool, on the file that the task needs most.',
        'Check the result with `git status` before you end.',
      ],
      alternative: 'Write the smallest piece of the task first and continue from there.',
    },
    context: {
      constraints: ['IMPORTANT: A task of which nothing is changed is not done, whatever the message says'],
      relevant: /\b(?:files?|writ\w*|creat\w*|implement\w*)\b/i,
      example: 'Instead of showing a function, call the edit tool with it, then read the file back.',
    },
    incident: ({ issue, taskId }) => ({
      cause: 'Attempt after attempt changed no file',
      immediate: [`Check the prompt, and whether the agent may write here: ralph prompt ${taskId}`],
      preventive: [
        `If nothing has to be changed, make ${taskId} a task of the kind verify or research.`,
        'Otherwise say which file is to be written first.',
      ],
      settings: ['[modes]: another agent or model for this task.', weightSetting(issue)],
    }),
  },

  false_completion: {
    event: 'false_completion_detected',
    eventSeverity: ({ lacksFiles }) => (lacksFiles ? 'critical' : 'warning'),
    confidence: 1,
    impactFactor: 0.2,
    correction: {
      problem: ({ summary }) => `You claimed completion, and the work tree shows otherwise: ${summary}.`,
      steps: () => [
        'Go through the acceptance criteria one by one and check each in the files as they are now.',
        "Until all of them are met, end with IN_PROGRESS: real progress isn't a failure, a false claim is one.",
      ],
      alternative: 'Start with what is not met, check it by running it, and claim nothing before.',
    },
    context: {
      constraints: ['IMPORTANT: Claim completion only for what you checked in the files as they are now'],
      relevant: /\b(?:complet\w*|done|finish\w*|accept\w*|criteri\w*|tests?|verif\w*|pass\w*)\b/i,
      example: 'Before you claim DONE, run what shows that it works, and read what it prints.',
    },
    incident: ({ issue, taskId }) => ({
      cause: 'The agent repeatedly claimed to be done, and was not',
      immediate: ['Check what is missing: the gates that fail, and the acceptance criteria.'],
      preventive: [`Write acceptance criteria for ${taskId} that a command can check.`],
      settings: ['[gates]: a gate for what the task asks for.', weightSetting(issue)],
    }),
  },

  evidence_missing: {
    event: 'evidence_validation_failed',
    // Low, because the work exists and only its list of evidence is missing.
    eventSeverity: ({ contradicted, lacksFiles }) => (contradicted || lacksFiles ? 'warning' : 'info'),
    confidence: 0.8,
    impactFactor: 0,
    correction: {
      problem: () => 'What you said you did could not be checked against the files.',
      steps: () => [
        'Read each file back after you changed it and note the line numbers.',
        'List every changed file as `path:from-to what was done there`.',
      ],
      alternative: 'Note each change with its path and lines at the moment you make it.',
    },
    context: {
      constraints: ['IMPORTANT: Name every changed file with the line numbers as they are now'],
      relevant: /\b(?:evidence|report\w*|lines?|status)\b/i,
      example: 'After the last edit, read the file once more and take the line numbers from that.',
    },
    incident: commonIncident('The agent gave no evidence that can be confirmed'),
  },
} as const satisfies Readonly<Record<string, FindingEntry>>;

import { inlineCode } from 'ralph-kit/markdown';
import type { Task } from '../task.ts';
import { commonIncident, type FindingEntry, narrowTask, weightSetting } from './entry.ts';

function withinExpected({ expectedPaths }: Task): readonly string[] {
  return expectedPaths === null || expectedPaths.length === 0
    ? ['Change no file that the task does not name or cannot be done without.']
    : [`Change nothing outside of ${expectedPaths.map(inlineCode).join(', ')}.`];
}

/** Findings about work that makes no progress or isn't part of the task (docs/INTERVENTIONS.md). */
export const WORK = {
  repetitive_errors: {
    confidence: 0.9,
    impactFactor: 0.2,
    correction: {
      problem: ({ error, path }) =>
        `You keep running into the same error${error && `: ${error}`}${path && ` (at ${path})`}.`,
      steps: ({ path }) => [
        `Do not repeat the step that led to it. Check first that ${path || 'the path or command'} exists, is spelled as you believe, and may be used.`,
        'Read the whole error once more, name its cause in one sentence, then try a different way.',
      ],
      alternative: 'Leave the failing step out altogether and reach the goal without it.',
    },
    context: {
      constraints: [
        'IMPORTANT: Do not repeat a step that failed; find out why first',
        'Check that a path or command exists before you use it',
      ],
      relevant: /\b(?:errors?|fail\w*|paths?|commands?|retr\w*)\b/i,
      example:
        'A file is "not found" twice: list its folder, take the name from the list, and do not try a third spelling.',
    },
    incident: commonIncident('The agent ran into the same error and found no way around it'),
  },

  scope_creep: {
    confidence: 0.8,
    impactFactor: 0.3,
    correction: {
      problem: ({ paths }) => `You work on files that this task does not need${paths && `: ${paths}`}.`,
      steps: ({ expectedPaths }) => [
        expectedPaths === ''
          ? 'Change only the files that the task names or cannot be done without.'
          : `Keep your changes within: ${expectedPaths}.`,
        'Undo what the task did not ask for. If a file outside is really needed, say in the status block why.',
      ],
      alternative: 'Make the smallest change that meets the criteria, in the expected files alone.',
    },
    context: {
      constraints: [
        'IMPORTANT: Only work with files in the expected paths',
        'Do not touch system files, or configuration outside of the project',
      ],
      relevant: /\b(?:scope|files?|paths?|director\w*|folders?|outside|only|modules?)\b/i,
      boundaries: withinExpected,
      example:
        'A helper in another folder could be nicer: leave it, and note it in the status block instead of changing it.',
    },
    incident: ({ issue, taskId }) => ({
      cause: 'The work went beyond the task',
      immediate: ['Check the files below "impact": which of them belong to the task?'],
      preventive: [narrowTask(taskId), 'Make what else has to be done tasks of their own.'],
      settings: [weightSetting(issue)],
    }),
  },

  goal_drift: {
    confidence: 0.6,
    impactFactor: 0.1,
    correction: {
      problem: () => 'Your last actions have nothing to do with the task.',
      steps: ({ expectedPaths }) => [
        `Go back to the request and take its next step now${expectedPaths && `, in ${expectedPaths}`}.`,
        'Do not read or run anything that this step does not need.',
      ],
      alternative: 'Open the file that the task is about first, and stay with it.',
    },
    context: {
      constraints: ['IMPORTANT: Each step must serve the request; leave everything else'],
      relevant: /\b(?:goals?|task|focus\w*|only|scope)\b/i,
      boundaries: withinExpected,
      example:
        'Before an action, name the criterion that it serves; when there is none, do not take the action.',
    },
    incident: commonIncident('The agent worked at something else'),
  },

  resource_spiral: {
    confidence: 0.8,
    impactFactor: 0.3,
    correction: {
      problem: ({ resources }) =>
        `Your use of resources grows fast${resources === '' ? '' : `: ${resources} in this attempt`}.`,
      steps: () => [
        'Leave out operations that repeat what you already know: read a file once, search instead of listing.',
        'Work in smaller batches, and remove temporary files that you made.',
      ],
      alternative: 'Do one small piece, end with IN_PROGRESS, and leave the rest to the next attempt.',
    },
    context: {
      constraints: [
        'IMPORTANT: Be efficient: leave out operations that are not needed',
        'Process data piece by piece instead of loading everything at once',
      ],
      relevant: /\b(?:memory|time|tokens?|efficien\w*|performance|batch\w*|limits?|slow|fast)\b/i,
      example: 'Search for the name of a function instead of reading every file that may contain it.',
    },
    incident: ({ issue, taskId }) => ({
      cause: 'The attempt used more and more without getting closer to the goal',
      immediate: ['Check whether the agent went in circles, or the task is larger than one attempt.'],
      preventive: [
        narrowTask(taskId),
        'Give the agent a fast command that checks one part, instead of everything each time.',
      ],
      settings: [
        '[limits] max_file_operations, max_memory_mb, max_tokens, max_execution_time, batch_size.',
        weightSetting(issue),
      ],
    }),
  },

  hallucination: {
    confidence: 0.8,
    impactFactor: 0.3,
    correction: {
      problem: ({ path, summary }) =>
        `You reported something that is not true${path === '' ? `: ${summary}` : `, about ${path}`}.`,
      steps: () => [
        'Look before you name: list the folder, read the file, run the test, and report only what you then see.',
        'When you do not know, say so; that is better than a guess.',
      ],
      alternative: 'Begin by listing the files that exist, and build on nothing that you have not read.',
    },
    context: {
      constraints: [
        'IMPORTANT: Name only files, symbols and results that you have seen in this attempt',
        'Report the result of a command as it was, also when it failed',
      ],
      relevant: /\b(?:verif\w*|check\w*|tests?|facts?|exist\w*|report\w*)\b/i,
      example:
        'Before you write that the tests pass, run them in this attempt and read the last lines of the output.',
    },
    incident: ({ issue }) => ({
      cause: "The agent reported what isn't true",
      immediate: ['Do not rely on its report. The gates and the change set show what is true.'],
      preventive: [
        'Name the files and symbols that exist in the task.',
        'Add a gate that checks the result itself.',
      ],
      settings: ['[gates]: commands that have to pass.', weightSetting(issue)],
    }),
  },

  gate_regression: {
    confidence: 1,
    impactFactor: 0.3,
    correction: {
      problem: ({ error }) => `A gate that passed before your work fails after it${error && `: ${error}`}.`,
      steps: () => [
        'Run the gate yourself, fix the code that breaks it, and run it again before you end.',
        'Do not touch the gate, its settings, or its tests.',
      ],
      alternative: 'Make one change at a time and run the gates after each.',
    },
    context: {
      constraints: ['IMPORTANT: What passed before your work must pass after it'],
      relevant: /\b(?:tests?|gates?|lint\w*|build\w*|types?|pass\w*|break\w*)\b/i,
      boundaries: () => ['Gates, their settings and their tests are not yours to change.'],
      example: 'Run the gate before your first edit and after each one: then you know which edit broke it.',
    },
    incident: commonIncident('The agent broke what worked before'),
  },

  oscillation: {
    confidence: 0.9,
    impactFactor: 0.2,
    correction: {
      problem: () => 'The work tree is back in an earlier state: changes are made and undone in turns.',
      steps: () => [
        'Choose one of the two ways and say why in the status block; do not go back to the other.',
        'If both fail, what they have in common is the cause: change that.',
      ],
      alternative: 'Take a third way: neither of the two that were made and undone.',
    },
    context: {
      constraints: ['IMPORTANT: Do not go back to a way that was given up; decide, and stay with it'],
      relevant: /\b(?:revert\w*|undo\w*|back|approach\w*|design\w*)\b/i,
      example:
        'The cache was added, removed and added again: keep it, and fix what the removal was meant to fix.',
    },
    incident: commonIncident('The agent went back and forth between two states of the work'),
  },
} as const satisfies Readonly<Record<string, FindingEntry>>;

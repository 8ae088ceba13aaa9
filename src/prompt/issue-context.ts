import type { Task } from '../domain/task.ts';
import { inlineCode } from '../lib/markdown.ts';

/** What an issue asks of the context of the next prompt (spec 3-interventions, Context reinforcement). */
type IssueContext = {
  /** Constraints that the issue calls for. */
  readonly constraints: readonly string[];
  /** Marks a constraint of the configuration or the task as one that matters now. */
  readonly relevant: RegExp;
  readonly boundaries: (task: Task) => readonly string[];
  /** What to do instead, shown by a case. */
  readonly example: string;
};

const NO_BOUNDARIES = () => [];

function scope({ expectedPaths }: Task): readonly string[] {
  return expectedPaths === null || expectedPaths.length === 0
    ? ['Change no file that the task does not name or cannot be done without.']
    : [`Change nothing outside of ${expectedPaths.map(inlineCode).join(', ')}.`];
}

const CONTEXTS: Readonly<Record<string, IssueContext>> = {
  no_files: {
    constraints: ['IMPORTANT: An attempt that changes no file fails, whatever its message says'],
    relevant: /\b(?:files?|writ\w*|creat\w*|implement\w*)\b/i,
    boundaries: NO_BOUNDARIES,
    example:
      'Instead of showing a function in your message, call the edit tool with it, then read the file back.',
  },
  false_completion: {
    constraints: ['IMPORTANT: Claim completion only when every acceptance criterion is checked and holds'],
    relevant: /\b(?:complet\w*|done|finish\w*|accept\w*|criteri\w*|tests?|verif\w*|pass\w*)\b/i,
    boundaries: NO_BOUNDARIES,
    example:
      'Criterion "errors carry the line number": provoke an error, look for the number in it, and only then count the criterion as met.',
  },
  evidence_missing: {
    constraints: ['IMPORTANT: Name every changed file with the line numbers as they are now'],
    relevant: /\b(?:evidence|report\w*|lines?|status)\b/i,
    boundaries: NO_BOUNDARIES,
    example:
      'After the last edit, read the file once more and take the line numbers from that, not from memory.',
  },
  repetitive_errors: {
    constraints: [
      'IMPORTANT: Do not repeat a step that failed; find out why first',
      'Check that a path or command exists before you use it',
    ],
    relevant: /\b(?:errors?|fail\w*|paths?|commands?|retr\w*)\b/i,
    boundaries: NO_BOUNDARIES,
    example:
      'A file is "not found" twice: list its folder, take the name from the list, and do not try a third spelling.',
  },
  scope_creep: {
    constraints: [
      'IMPORTANT: Only work with files in the expected paths',
      'Do not touch system files, or configuration outside of the project',
    ],
    relevant: /\b(?:scope|files?|paths?|director\w*|folders?|outside|only|modules?)\b/i,
    boundaries: scope,
    example:
      'A helper in another folder could be nicer: leave it, and note it in the status block instead of changing it.',
  },
  goal_drift: {
    constraints: ['IMPORTANT: Each step must serve the request; leave everything else'],
    relevant: /\b(?:goals?|task|focus\w*|only|scope)\b/i,
    boundaries: scope,
    example:
      'Before an action, name the criterion that it serves; when there is none, do not take the action.',
  },
  resource_spiral: {
    constraints: [
      'IMPORTANT: Be efficient: leave out operations that are not needed',
      'Process data piece by piece instead of loading everything at once',
    ],
    relevant: /\b(?:memory|time|tokens?|efficien\w*|performance|batch\w*|limits?|slow|fast)\b/i,
    boundaries: NO_BOUNDARIES,
    example: 'Search for the name of a function instead of reading every file that may hold it.',
  },
  hallucination: {
    constraints: [
      'IMPORTANT: Name only files, symbols and results that you have seen in this attempt',
      'Report the result of a command as it was, also when it failed',
    ],
    relevant: /\b(?:verif\w*|check\w*|tests?|facts?|exist\w*|report\w*)\b/i,
    boundaries: NO_BOUNDARIES,
    example:
      'Before you write that the tests pass, run them in this attempt and read the last lines of the output.',
  },
  gate_regression: {
    constraints: ['IMPORTANT: What passed before your work must pass after it'],
    relevant: /\b(?:tests?|gates?|lint\w*|build\w*|types?|pass\w*|break\w*)\b/i,
    boundaries: () => ['Gates, their settings and their tests are not yours to change.'],
    example: 'Run the gate before your first edit and after each one: then you know which edit broke it.',
  },
  oscillation: {
    constraints: ['IMPORTANT: Do not go back to a way that was given up; decide, and stay with it'],
    relevant: /\b(?:revert\w*|undo\w*|back|approach\w*|design\w*)\b/i,
    boundaries: NO_BOUNDARIES,
    example:
      'The cache was added, removed and added again: keep it, and mend what the removal was meant to mend.',
  },
  state_tampering: {
    constraints: ['IMPORTANT: Never edit the task list, the configuration, or anything under `.ralph/`'],
    relevant: /\b(?:ralph|config\w*|task list|status|tracker)\b/i,
    boundaries: () => ['`.ralph/`, the task list and the configuration belong to ralph and to a person.'],
    example: 'A task is finished: say so in the status block, and leave its checkbox alone.',
  },
  action_denied: {
    constraints: ['IMPORTANT: What was denied stays denied, in any other form too'],
    relevant: /\b(?:command\w*|delet\w*|network\w*|secret\w*|permission\w*|allow\w*|deny\w*|denied)\b/i,
    boundaries: NO_BOUNDARIES,
    example:
      'Deleting a folder is denied: do not write a script that deletes it, but do the task without the deletion.',
  },
  avoidance: {
    constraints: [
      'IMPORTANT: Mend the code, not the check: tests, assertions and thresholds stay as they are',
    ],
    relevant: /\b(?:tests?|assert\w*|skip\w*|coverage|thresholds?|lint\w*)\b/i,
    boundaries: () => ['Tests and the settings of checks are not yours to weaken.'],
    example: 'An expected value does not match: change the function that returns it, not the expectation.',
  },
};

/** For issues of a person's detectors, and those whose ladder does not reinforce. */
const GENERAL: IssueContext = {
  constraints: ['IMPORTANT: Keep to the request, and check each step against it'],
  relevant: /(?!)/,
  boundaries: NO_BOUNDARIES,
  example: 'Before you end, read the request once more and compare it with what is in the files.',
};

export function contextFor(issue: string): IssueContext {
  return (Object.hasOwn(CONTEXTS, issue) ? CONTEXTS[issue] : undefined) ?? GENERAL;
}

import type { IssueFacts } from './issue-facts.ts';

type Advice = {
  /** What is wrong, to the agent. */
  readonly said: (facts: IssueFacts) => string;
  /** What to do about it, gentle and to the point. */
  readonly steps: (facts: IssueFacts) => readonly string[];
  /** Another way than the one that failed, for an attempt that starts over. */
  readonly otherwise: string;
};

const or = (text: string, fallback: string) => (text === '' ? fallback : text);

/** What is said about each issue (spec 3-interventions, Soft correction). */
const ADVICE: Readonly<Record<string, Advice>> = {
  no_files: {
    said: () => 'Your attempt ended without a changed file.',
    steps: () => [
      'Begin with a call of your write or edit tool, on the file that the task needs most.',
      'Look at the result with `git status` before you end.',
    ],
    otherwise: 'Write the smallest piece of the task first, and go on from there.',
  },
  false_completion: {
    said: ({ summary }) => `You claimed a completion that the work tree does not bear out: ${summary}.`,
    steps: () => [
      'Go through the acceptance criteria one by one and check each in the files as they are now.',
      'Until all of them hold, end with IN_PROGRESS: real progress is no failure, a false claim is one.',
    ],
    otherwise: 'Start from what is not met, check it by running it, and claim nothing before.',
  },
  evidence_missing: {
    said: () => 'What you said you did could not be checked against the files.',
    steps: () => [
      'Read each file back after you changed it and note the line numbers.',
      'List every changed file as `path:from-to what was done there`.',
    ],
    otherwise: 'Note each change with its path and lines at the moment you make it.',
  },
  repetitive_errors: {
    said: ({ error, path }) =>
      `You keep running into the same error${error === '' ? '' : `: ${error}`}${path === '' ? '' : ` (at ${path})`}.`,
    steps: ({ path }) => [
      `Do not repeat the step that led to it. Check first that ${or(path, 'the path or command')} exists, is spelled as you believe, and may be used.`,
      'Read the whole error once more, name its cause in one sentence, then try a different way.',
    ],
    otherwise: 'Leave the failing step out altogether and reach the goal without it.',
  },
  scope_creep: {
    said: ({ path }) =>
      `You work on files that this task does not need${path === '' ? '' : `, such as ${path}`}.`,
    steps: ({ expectedPaths }) => [
      expectedPaths === ''
        ? 'Change only the files that the task names or cannot be done without.'
        : `Keep your changes within: ${expectedPaths}.`,
      'Undo what the task did not ask for. If a file outside is really needed, say in the status block why.',
    ],
    otherwise: 'Make the smallest change that meets the criteria, in the expected files alone.',
  },
  goal_drift: {
    said: () => 'Your last actions have nothing to do with the task.',
    steps: ({ expectedPaths }) => [
      `Go back to the request and take its next step now${expectedPaths === '' ? '' : `, in ${expectedPaths}`}.`,
      'Do not look into anything that this step does not need.',
    ],
    otherwise: 'Open the file that the task is about first, and stay with it.',
  },
  resource_spiral: {
    said: () => 'Your use of resources grows fast.',
    steps: () => [
      'Leave out operations that repeat what you already know: read a file once, search instead of listing.',
      'Work in smaller batches, and remove temporary files that you made.',
    ],
    otherwise: 'Do one small piece, end with IN_PROGRESS, and leave the rest to the next attempt.',
  },
  hallucination: {
    said: ({ path, summary }) =>
      path === ''
        ? `You reported something that does not hold: ${summary}.`
        : `You reported something that does not hold, about ${path}.`,
    steps: () => [
      'Look before you name: list the folder, read the file, run the test, and report only what you then see.',
      'When you do not know, say so; that is better than a guess.',
    ],
    otherwise: 'Begin by listing the files that exist, and build on nothing that you have not read.',
  },
  gate_regression: {
    said: ({ error }) =>
      `A gate that passed before your work fails after it${error === '' ? '' : `: ${error}`}.`,
    steps: () => [
      'Run the gate yourself, mend the code that breaks it, and run it again before you end.',
      'Do not touch the gate, its settings, or its tests.',
    ],
    otherwise: 'Make one change at a time and run the gates after each.',
  },
  oscillation: {
    said: () => 'The work tree is back in a state that it already had: changes are made and undone in turns.',
    steps: () => [
      'Decide for one of the two ways and say why in the status block; do not go back to the other.',
      'If both fail, what they have in common is the cause: change that.',
    ],
    otherwise: 'Take a third way: neither of the two that were made and undone.',
  },
  critical_security_violation: {
    said: ({ summary }) => `What you did endangers people or data: ${summary}.`,
    steps: () => ['Stop this at once, and do not try it in another form.'],
    otherwise: 'Do the task without secrets, and without commands that reach beyond the repository.',
  },
  state_tampering: {
    said: ({ path }) =>
      `You changed what only ralph or a person writes${path === '' ? '' : `: ${path}`}. It was put back.`,
    steps: () => [
      'Do not edit the task list, the configuration, or anything under `.ralph/`.',
      'Doing it again stops the run.',
    ],
    otherwise: 'Let the work in the files speak: ralph sets the status from it.',
  },
  unreviewed_action: {
    said: ({ summary }) => `You acted without asking where asking is required: ${summary}.`,
    steps: () => ['Use your ordinary tools alone, so that each action is reviewed before it happens.'],
    otherwise: 'Use your ordinary tools alone.',
  },
  action_denied: {
    said: ({ summary }) => `You wanted to do what is denied: ${summary}.`,
    steps: () => [
      'Do not try it again in another form.',
      'Find a way that does not need it, or report BLOCKED with what you would need.',
    ],
    otherwise: 'Plan the task without the denied action from the beginning.',
  },
  avoidance: {
    said: ({ summary, path }) =>
      `Your changes make the checks weaker instead of the code better${path === '' ? '' : ` (in ${path})`}: ${summary}.`,
    steps: () => [
      'Restore the tests, assertions and settings as they were.',
      'Mend the implementation until they pass as they are.',
    ],
    otherwise: 'Leave tests and settings alone, and change the implementation only.',
  },
};

/** For issues of a person's detectors. */
const GENERAL: Advice = {
  said: ({ summary }) => `A problem was found in your work: ${summary}.`,
  steps: () => ['Reconsider what you are doing against the request, and correct this before you go on.'],
  otherwise: 'Take a different way than before, and check it early.',
};

export function adviceFor(issue: string): Advice {
  return (Object.hasOwn(ADVICE, issue) ? ADVICE[issue] : undefined) ?? GENERAL;
}

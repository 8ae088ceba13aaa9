import { type Finding, isFindingType } from '../domain/finding.ts';
import { unreachable } from '../lib/unreachable.ts';

type Advice = {
  /** One or two sentences. */
  readonly rootCause: string;
  /** What to do now, before anything runs again. */
  readonly immediate: readonly string[];
  /** What keeps it from happening again, in the task or the project. */
  readonly preventive: readonly string[];
  /** Settings of ralph.toml that have to do with it. */
  readonly configuration: readonly string[];
};

const LOOK = (iteration: number) => `See what the agent did and printed: ralph logs ${iteration}`;

/** What an incident of this issue comes from and what helps against it; `taskId` and `iteration` are those of the stop. */
export function adviceFor({ type, summary, taskId, iteration }: Finding): Advice {
  const look = LOOK(iteration);
  const narrow = `Say in ${taskId} which files it is about, and split it if it is about many.`;
  if (!isFindingType(type)) {
    return {
      rootCause: `A detector of this project raised ${type}: ${summary}`,
      immediate: [look],
      preventive: [`Look at what the detector of ${type} goes by, and whether it was right.`],
      configuration: [`[interventions.handlers] ${type}: the module that raised it.`, weightOf(type)],
    };
  }
  switch (type) {
    case 'critical_security_violation':
      return {
        rootCause: `The agent did, or was about to do, what must never happen: ${summary}`,
        immediate: [
          look,
          'Revoke and replace every credential that is named, also when its file was put back: it was on the disk and may be in a commit or a log.',
          'Look at the files below "impact" before anything is committed or pushed.',
        ],
        preventive: [
          'Keep credentials out of the repository and out of the environment that the agent gets.',
          'Run the agent as another user or in a sandbox.',
        ],
        configuration: ['[review] require_gate = true: no agent runs whose actions cannot be held back.'],
      };
    case 'state_tampering':
      return {
        rootCause: `The agent changed what only ralph or a person writes: ${summary}`,
        immediate: [look, 'What it wrote was put back; its versions lie in the folder of the iteration.'],
        preventive: [
          "Say in the prompt or in AGENTS.md that task list, configuration and approvals are not the agent's to edit.",
          'If it wanted to report progress, show it how: the RALPH_STATUS block of the prompt.',
        ],
        configuration: ['[review] require_gate = true: such writes are denied before they happen.'],
      };
    case 'unreviewed_action':
      return {
        rootCause: `An action of the agent happened without having been reviewed: ${summary}`,
        immediate: [look, 'Check the version of the agent and its own settings: ralph doctor'],
        preventive: ['Keep the version of the agent fixed, and try a new one with a small task first.'],
        configuration: ['[review] require_gate = true: an agent without a working gate is not started.'],
      };
    case 'action_denied':
      return {
        rootCause: `The agent insisted on an action that is denied: ${summary}`,
        immediate: [
          look,
          'Decide whether the task needs that action. If so, do it yourself and say so in the task.',
        ],
        preventive: [`Say in ${taskId} what is to be done instead of the denied action.`],
        configuration: ['[review] enabled, require_gate: how actions are reviewed.'],
      };
    case 'resource_spiral':
      return {
        rootCause: `The attempt used more and more without coming closer to an end: ${summary}`,
        immediate: [look, 'See whether the agent went in circles, or the task is larger than one attempt.'],
        preventive: [
          narrow,
          'Give the agent a fast command that checks one part, instead of everything each time.',
        ],
        configuration: [
          '[limits] max_file_operations, max_memory_mb, max_tokens, max_execution_time, batch_size.',
          weightOf(type),
        ],
      };
    case 'scope_creep':
      return {
        rootCause: `The work went beyond the task: ${summary}`,
        immediate: [look, 'Look through the files below "impact": which of them belong to the task?'],
        preventive: [narrow, 'Make tasks of their own of what else has to be done.'],
        configuration: [weightOf(type)],
      };
    case 'hallucination':
      return {
        rootCause: `The agent reported what is not so: ${summary}`,
        immediate: [look, 'Do not go by its report. The gates and the change set tell what is true.'],
        preventive: [
          'Name the files and symbols that exist in the task.',
          'Add a gate that checks the result itself.',
        ],
        configuration: ['[gates]: commands that have to pass.', weightOf(type)],
      };
    case 'no_files':
      return {
        rootCause: `Attempt after attempt changed no file: ${summary}`,
        immediate: [
          look,
          `See what the agent is told, and whether it may write here: ralph prompt ${taskId}`,
        ],
        preventive: [
          `If nothing has to be changed, make ${taskId} a task of the kind verify or research.`,
          'Otherwise say which file is to be written first.',
        ],
        configuration: ['[modes]: another agent or model for this task.', weightOf(type)],
      };
    case 'false_completion':
      return {
        rootCause: `The agent claimed again and again to be done, and was not: ${summary}`,
        immediate: [look, 'See what is missing: the gates that fail, and the acceptance criteria.'],
        preventive: [`Write acceptance criteria for ${taskId} that a command can check.`],
        configuration: ['[gates]: a gate for what the task asks for.', weightOf(type)],
      };
    case 'evidence_missing':
    case 'repetitive_errors':
    case 'goal_drift':
    case 'gate_regression':
    case 'oscillation':
      return {
        rootCause: `${CAUSES[type]}: ${summary}`,
        immediate: [look, `See what was tried so far: ralph interventions --task ${taskId}`],
        preventive: [
          narrow,
          'Try what fails by hand: a missing tool or a broken set-up looks like this as well.',
        ],
        configuration: ['[gates]: what has to pass, and its time limit.', weightOf(type)],
      };
    default:
      return unreachable(type);
  }
}

const CAUSES = {
  evidence_missing: 'The agent gave no evidence that holds',
  repetitive_errors: 'The agent ran into the same error and found no way around it',
  goal_drift: 'The agent worked at something else',
  gate_regression: 'The agent broke what worked before',
  oscillation: 'The agent went back and forth between two states of the work',
} as const;

function weightOf(type: string): string {
  return `[interventions.weights.${type}] confidence, impact_factor: lower ones come later to a stop.`;
}

import { usualWindow } from 'ralph-agents';
import { own } from 'ralph-kit/own';
import type { Config } from '../../domain/config.ts';
import type { FeedbackEntry } from '../../domain/feedback.ts';
import { lessonText } from '../../domain/findings/lesson-text.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { emptyProfile } from '../../domain/records/profile.ts';
import type { InputsDocument } from '../../domain/records/run-record.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { type Plan, type Role, type WorkflowFacts, workflowRoles } from '../../domain/workflow/roles.ts';
import { reinforcement, renderPrompt, selectFeedback, withoutExamples } from '../../prompt/index.ts';
import { checkThresholds, restrictionNotice } from '../../respond/intervene/index.ts';
import { isTooLong, selectLessons } from '../../respond/policy/index.ts';
import { attemptNumber, attemptSeconds, configuredLimits, limitsFor } from './starting-attempt.ts';
import { unjudgedWork } from './unjudged-work.ts';

/** Maximum number of characters of the repository's notes and of feedback in one prompt. */
const PROMPT_LIMITS = { notes: 20_000, feedback: 12_000 };

type Configured = { readonly config: Config; readonly gates: readonly GateSpec[] };

export function decidingSettings({
  config,
  gates,
  texts,
  isBoxed,
}: Configured & { readonly texts: Readonly<Record<string, string>>; readonly isBoxed: boolean }) {
  return {
    completion: config.loop.completion,
    commits: config.git.commit !== 'never',
    maxAttemptsPerTask: config.loop.max_attempts_per_task,
    gateOutputLimit: config.gates.output_limit,
    requiredGates: gates.filter(({ required }) => required).map(({ name }) => name),
    heldOutGates: gates.filter(({ heldOut }) => heldOut !== null).map(({ name }) => name),
    isBoxed,
    requiredGrade: config.proof.require,
    humanGates: config.human.gates,
    interventions: config.interventions,
    texts: { ...texts },
    prices: config.budget.prices,
  };
}

type InputOptions = Configured & {
  readonly readFile: (path: string) => string | null;
  /** Files with notes that the agent reads itself, so the prompt leaves them out. */
  readonly notesRead: readonly string[];
};

export function readInputs({ config, gates, readFile, notesRead }: InputOptions): InputsDocument {
  return {
    $schema: 'ralph.inputs.v1',
    template: readFile(config.files.prompt),
    templateName: config.files.prompt,
    roleTemplates: Object.fromEntries(
      workflowRoles(config.workflow.kind).flatMap((role) => {
        const text = readFile(rolePromptFile(role, config.workflow));
        return text === null || text.trim() === '' ? [] : [[role, text]];
      }),
    ),
    maxAttempts: config.loop.max_attempts_per_task,
    constraints: config.prompt.constraints,
    boundaries: config.prompt.boundaries,
    goals: config.prompt.goals,
    notes: config.files.notes.flatMap((path) => {
      const text = notesRead.includes(path) ? null : readFile(path);
      return text === null || text.trim() === '' ? [] : [{ path, text }];
    }),
    guidance: readFile(config.files.feedback) ?? '',
    gates: [...gates],
    rotationDays: config.interventions.feedback_rotation_days,
    commit: config.git.commit,
    limits: PROMPT_LIMITS,
    reinforcement: {
      strength: config.interventions.reinforcement_strength,
      examples: config.interventions.include_examples,
    },
  };
}

export type PromptFacts = Pick<
  IterationFacts,
  | 'task'
  | 'taskState'
  | 'begun'
  | 'profile'
  | 'settings'
  | 'timeoutSeconds'
  | 'startedAt'
  | 'limits'
  | 'lessons'
  | 'contextWindow'
> & {
  readonly tasks: readonly Task[];
  readonly feedback: readonly FeedbackEntry[];
  /** Plan for the maker; `null`: none. */
  readonly workflow: Pick<WorkflowFacts, 'plan'> | null;
};

/** Returns the prompt for these facts, without examples if it would be too long with them. */
export function promptFrom(inputs: InputsDocument, facts: PromptFacts): ReturnType<typeof renderPrompt> {
  const whole = promptWith(inputs, facts);
  if (!whole.ok || !isTooLong(whole.prompt, facts.contextWindow)) return whole;
  return promptWith(withoutExamples(inputs), facts);
}

function promptWith(inputs: InputsDocument, facts: PromptFacts): ReturnType<typeof renderPrompt> {
  const { tasks, profile } = facts;
  const task = withPlan(facts.task, facts.workflow?.plan ?? null);
  const done = tasks.filter(({ status }) => status === 'done');
  const { exceeded } = checkThresholds(profile, facts.settings.interventions);
  return renderPrompt({
    ...inputs,
    task,
    attempt: attemptNumber(facts.taskState),
    unjudged: facts.begun,
    progress: { done: done.length, total: tasks.length, doneTitles: done.map(({ title }) => title) },
    feedback: selectFeedback(facts.feedback, {
      taskId: task.id,
      now: facts.startedAt,
      rotationDays: inputs.rotationDays,
    }),
    reinforcement: reinforcement(profile, exceeded, (facts.taskState.series?.work ?? []).length > 0),
    reinforce:
      facts.taskState.reinforce.length === 0
        ? null
        : { issues: facts.taskState.reinforce, ...inputs.reinforcement },
    throttleNotice: limitNotice(facts),
    lessons: facts.lessons.map(lessonText),
    timeoutSeconds: attemptSeconds(facts.timeoutSeconds, facts.limits),
  });
}

function withPlan(task: Task, plan: Plan | null): Task {
  if (plan === null) return task;
  const text = `Approved plan; stay within its files:\n\n${plan.text.trim()}`;
  return { ...task, notes: task.notes.trim() === '' ? text : `${task.notes.trim()}\n\n${text}` };
}

/** Returns a notice about limits that differ from the configuration, otherwise ''. */
function limitNotice({ task, taskState: { restriction, throttle }, limits }: PromptFacts): string {
  if (restriction !== null) return restrictionNotice(restriction.incident, limits, task);
  return throttle?.text ?? '';
}

export function promptBounds(state: State, task: Task, agent: string, { runners }: Pick<Config, 'runners'>) {
  const text = `${task.title}\n${task.description}`;
  return {
    lessons: [...selectLessons(state.policy.lessons, { id: task.id, text })],
    contextWindow: own(runners, agent)?.context_window ?? usualWindow(agent),
  };
}

export function stateFor(state: State, taskId: string, agent: string) {
  return {
    taskState: taskStateOf(state, taskId),
    profile: state.profiles[agent] ?? emptyProfile(agent),
    feedback: state.feedback.filter((entry) => entry.taskId === null || entry.taskId === taskId),
  };
}

export type PromptOptions = InputOptions & {
  readonly agent: string;
  readonly state: State;
  readonly tasks: readonly Task[];
  readonly task: Task;
  readonly timeoutSeconds: number;
  /** Current time, ISO 8601 UTC. */
  readonly now: string;
};

export function promptFor(options: PromptOptions): ReturnType<typeof renderPrompt> {
  const { state, task, tasks, timeoutSeconds, now } = options;
  const stateFacts = stateFor(state, task.id, options.agent);
  return promptFrom(readInputs(options), {
    ...stateFacts,
    ...promptBounds(state, task, options.agent, options.config),
    limits: limitsFor(configuredLimits(options.config), stateFacts.taskState),
    begun: unjudgedWork(stateFacts.taskState, null),
    task,
    tasks,
    settings: decidingSettings({ ...options, texts: {}, isBoxed: false }),
    workflow: stateFacts.taskState.workflow,
    timeoutSeconds,
    startedAt: now,
  });
}

/** Returns the path of your prompt for a role, as configured, relative to the repository. */
function rolePromptFile(role: Role, { roles }: Pick<Config['workflow'], 'roles'>): string {
  return roles[role]?.template ?? `.ralph/PROMPT_${role}.md`;
}

export function promptFiles({ files, workflow }: Pick<Config, 'files' | 'workflow'>): readonly string[] {
  return [files.prompt, ...workflowRoles(workflow.kind).map((role) => rolePromptFile(role, workflow))];
}

/** Returns the configured paths of all files with instructions for agents, except the task list. */
export function instructionFiles(config: Pick<Config, 'files' | 'workflow'>): readonly string[] {
  return [...promptFiles(config), config.files.feedback];
}

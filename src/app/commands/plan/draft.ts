import { resolve } from 'node:path';
import { isBoxedOff } from 'ralph-box';
import { accessCommand } from 'ralph-kit/files/access-command';
import { lstatOrNull, readFileBytes, whyUnreadable } from 'ralph-kit/files/plain-file';
import { didYouMean } from 'ralph-kit/nearest';
import { shortened, stripControl } from 'ralph-kit/text';
import { viewIssue } from 'ralph-task-lists/services/gh';
import { exitCodeOf, type StopSignalName } from '../../../domain/exit.ts';
import { taskStateOf } from '../../../domain/records/state.ts';
import type { Task } from '../../../domain/task.ts';
import { prepareForLongRun } from '../../../io/long-run.ts';
import { listenForStop } from '../../../io/stop-signal.ts';
import { type Drafted, draftPlan, loadTasks, NO_COMMIT, type PlanRequest } from '../../../loop/index.ts';
import type { PlanSubject } from '../../../prompt/index.ts';
import { FIRST_COMMIT } from '../../../tell/index.ts';
import { budgetRefusal } from '../../doctor/check-budget.ts';
import { type Failure, failure } from '../../result.ts';
import { requireRunnable } from '../../setup/check-trust.ts';
import { chooseAgents } from '../../setup/choose-agent.ts';
import { inLoop } from '../../setup/in-loop.ts';
import { moduleHostOf, modulesOf } from '../../setup/modules.ts';
import { inProject, type Project } from '../../setup/project.ts';
import { rulesOf } from '../../setup/review-setup.ts';
import { agentsOfRoles, workflowSetup } from '../../setup/workflow/workflow-setup.ts';
import type { LoopInput } from '../run.ts';
import { namedTasks } from '../tasks.ts';
import { type AskPlan, offerPlan } from './proposals.ts';
import { planWorld } from './shown-plan.ts';

/** An idea to plan, or a task (id or number) to split. */
export type PlanOf =
  | { readonly kind: 'idea'; readonly words: readonly string[] }
  | { readonly kind: 'task'; readonly name: string };

export type DraftInput = Pick<
  LoopInput,
  'cwd' | 'flags' | 'onNotice' | 'trust' | 'onEntry' | 'onStop' | 'hide'
> & {
  readonly source: PlanOf;
  readonly model: string | null;
  readonly yes: boolean;
  readonly ask: AskPlan;
};

/** Maximum number of characters of the idea that are kept with a proposal. */
const IDEA_KEPT = 200;

/** Has agents draft tasks from an idea or a task to split; with your yes, they go into the list. */
export function draft(input: DraftInput) {
  prepareForLongRun();
  return inProject({ ...input, owner: 'list', willRun: true }, async (project) => {
    const loaded = await loadTasks({ ports: project });
    if (!loaded.ok) return failure(loaded.message, loaded.next ?? 'ralph doctor');
    const { tracker, tasks } = loaded;
    const list = { project, tracker, tasks };
    const found = await subjectOf(input, list);
    if (!found.ok) return found;
    const { subject } = found;
    const replaces = subject.kind === 'task' ? subject.task : null;
    const world = planWorld(project, tasks, replaces);
    // A trial edit comes first, so that no agent drafts tasks for a list that can't be edited.
    const sample = { title: 'A task', priority: null, dependsOn: [], acceptance: [], after: [] };
    await project.tracker.addPlan({ tasks: [sample], replaces: replaces?.id ?? null }, 'try');
    const planned = await runPlanners(project, input, { subject, world });
    if ('ok' in planned) return planned;
    const { drafted, stoppedBy } = planned;
    const { agent, spend, problem } = drafted;
    const by =
      subject.kind === 'task'
        ? { kind: 'split' as const, agent, taskId: subject.task.id }
        : { kind: 'plan' as const, agent, idea: shortened(subject.idea, IDEA_KEPT) };
    const { proposals } = project.store.commit(() => [
      { type: 'plan_drafted', by, tasks: [...(drafted.tasks ?? [])], spend: [...spend] },
    ]);
    project.store.writeViews();
    if (stoppedBy !== null) return failure('Stopped: nothing was changed.', null, exitCodeOf(stoppedBy));
    const proposal = proposals.at(-1);
    if (drafted.tasks === null || proposal === undefined)
      return failure(`${agent} made no plan: ${problem}. Nothing was changed.`, 'ralph plan --help', 1);
    return offerPlan(list, proposal, input);
  });
}

type Tasks = { readonly project: Project } & Pick<Parameters<typeof namedTasks>[0], 'tracker' | 'tasks'>;

async function subjectOf(
  { source, cwd }: DraftInput,
  list: Tasks,
): Promise<{ readonly ok: true; readonly subject: PlanSubject } | Failure> {
  if (source.kind === 'idea') {
    const read = await readIdea(source.words, cwd);
    return read.ok ? { ok: true, subject: { kind: 'idea', idea: read.idea } } : read;
  }
  const named = namedTasks(list, [source.name]);
  if (!named.ok) return named;
  const [task] = named.tasks as readonly [Task, ...Task[]];
  if (task.status === 'done') return failure(`${task.id} is done already.`, 'ralph tasks');
  // Splitting a task with a problem would drop the problem unseen.
  if (task.problem !== null) return failure(`${task.id} can't be split: ${task.problem}.`, 'ralph doctor');
  const { attempts, blocked, history } = taskStateOf(list.project.store.state, task.id);
  const series = attempts.length > 0 ? attempts : (blocked?.attempts ?? history.at(-1)?.attempts ?? []);
  return { ok: true, subject: { kind: 'task', task, attempts: series } };
}

type Planned = { readonly drafted: Drafted; readonly stoppedBy: StopSignalName | null };

async function runPlanners(
  project: Project,
  input: DraftInput,
  plan: PlanRequest,
): Promise<Planned | Failure> {
  const { root, stateHome, config } = project;
  const modules = modulesOf(project);
  const host = moduleHostOf(project, modules);
  const listener = listenForStop({ onFirst: () => input.onStop('forced') });
  try {
    const subject = { ...project, entries: project.configEntries(), modules };
    const unready = await requireRunnable(subject, input.trust);
    if (unready !== null) return unready;
    const agents = chooseAgents(root, config, input.model);
    if (!agents.ok) return agents;
    const roles = workflowSetup(root, config, agents.adapters);
    if (!roles.ok) return roles;
    const paid = [...agents.adapters, ...agentsOfRoles(roles.workflow)];
    const unkept = budgetRefusal({ config, entries: project.configEntries() }, paid);
    if (unkept !== null) return unkept;
    const box = project.box();
    if (!box.ok) return box;
    const review = await rulesOf(project, host);
    if (!review.ok) return review;
    if (!isBoxedOff(stateHome) && (await project.git.refs()).head === null)
      return failure(NO_COMMIT, FIRST_COMMIT);
    for (const message of agents.warnings) project.store.commit([{ type: 'warned', message }]);
    // A planner has no work to save, so the first signal ends the agent.
    const { polite } = listener;
    const stop = { ...listener, forced: polite };
    const given = {
      agents,
      rules: review.rules,
      box,
      host,
      stop,
      workflow: roles.workflow,
      prover: null,
      texts: {},
      only: null,
      maxIterations: 1,
      runUntil: null,
      notifyEnd: false,
      confirmMarks: null,
      askGate: null,
      answerChat: null,
      hide: input.hide,
      holder: 'ralph plan',
    };
    const drafted = await inLoop(project, given, (context) => draftPlan(context, plan));
    return 'ok' in drafted ? drafted : { drafted, stoppedBy: listener.reason() };
  } finally {
    listener.dispose();
    await host.close();
  }
}

/** Maximum number of characters of an idea. A longer text is too much for one list. */
const LONGEST = 60_000;

type Idea = { readonly ok: true; readonly idea: string };

const ISSUE = /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/issues\/\d{1,9}$/;

/** Reads typed words, a file that a single word names, or a GitHub issue by `gh`. `cwd` is absolute. */
export async function readIdea(words: readonly string[], cwd: string): Promise<Idea | Failure> {
  const [only = ''] = words;
  const text = words.join(' ').trim();
  if (text === '') return failure('What should be planned?', 'ralph plan --help');
  if (words.length > 1) return asIdea(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(only)) return fromIssue(only, cwd);
  // A mistyped subcommand isn't an idea, so the likely subcommand is suggested.
  const near = didYouMean(only, ['list', 'accept', 'drop']);
  if (near !== '') return failure(`There is no ralph plan ${only}.${near}`, 'ralph plan --help');
  const path = resolve(cwd, only);
  if (lstatOrNull(path) === null)
    return /^\S*\.(?:md|txt|markdown)$/i.test(only)
      ? failure(`There is no file ${only}.`, 'ralph plan --help')
      : asIdea(text);
  try {
    return asIdea(readFileBytes(path).toString('utf8'));
  } catch (error) {
    return failure(
      `${only} can't be read: ${whyUnreadable(error)}.`,
      accessCommand(path, 'read') ?? 'ralph plan --help',
    );
  }
}

async function fromIssue(url: string, cwd: string): Promise<Idea | Failure> {
  if (!ISSUE.test(url))
    return failure(
      `${url} isn't an issue on GitHub: https://github.com/OWNER/NAME/issues/NUMBER.`,
      'Save what it says to a file, and name that',
    );
  const issue = await viewIssue(cwd, url);
  return issue.ok
    ? asIdea(`${issue.value.title}\n\n${issue.value.body}`)
    : failure(`${issue.message}.`, 'gh auth status');
}

function asIdea(text: string): Idea | Failure {
  const idea = stripControl(text).trim();
  if (idea === '') return failure('There is nothing in it to plan.', 'ralph plan --help');
  return idea.length > LONGEST
    ? failure(`It has more than ${LONGEST} characters.`, 'Plan a part of it at a time.')
    : { ok: true, idea };
}

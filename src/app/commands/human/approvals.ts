import { snakeKeys } from 'ralph-kit/snake-keys';
import { requestFrom } from '../../../decide/index.ts';
import { EXIT } from '../../../domain/exit.ts';
import { signOf } from '../../../domain/findings/avoidance.ts';
import { type GateRequest, NO_GATE_FACTS } from '../../../domain/human/gate.ts';
import { requestOf } from '../../../domain/human/state.ts';
import { openIncidents, resumeCommand } from '../../../domain/incident.ts';
import { openIterations, type State, taskStateOf } from '../../../domain/records/state.ts';
import { openPorcelain } from '../../../git/index.ts';
import { systemClock } from '../../../io/clock.ts';
import { authorityFor, plainEntry } from '../../../respond/human/index.ts';
import { gatePanel, gateSections, gateText, optionsOf } from '../../../tell/index.ts';
import { AUDIT_LOG, checkLog } from '../../human/check-log.ts';
import {
  auditRecords,
  type DecisionInput,
  decideGate,
  findOption,
  findRequest,
} from '../../human/decide-gate.ts';
import { findingsOf, shownAtGate } from '../../human/shown-at-gate.ts';
import { type DataOf, type Failure, failure, success } from '../../result.ts';
import {
  continueIn,
  inTaskList,
  inWorkspace,
  type ProjectInput,
  type Workspace,
} from '../../setup/workspace.ts';

export type ApprovalsInput = ProjectInput &
  DecisionInput & {
    readonly action: 'list' | 'show' | 'decide' | 'verify' | 'report';
    /** Id or number of a request, `G-3` or `3`; for a report, the id of an event, `e-12`. */
    readonly id: string | null;
    readonly option: string | null;
    /** Asks for a missing decision; `null`: you can't be asked. */
    readonly ask: ((asking: Asking) => Promise<Answer | null>) | null;
  };

export type Asking = {
  readonly request: GateRequest;
  readonly keys: readonly {
    readonly key: string;
    readonly option: string;
    readonly label: string;
    readonly needs: string | null;
    readonly effect: string;
  }[];
  readonly panel: (width: number) => string;
  /** The parts of what the panel shows. `title` is `null` for text that stands alone. */
  readonly sections: readonly { readonly title: string | null; readonly lines: readonly string[] }[];
  readonly show: (option: string) => string;
};

export type Answer = Pick<DecisionInput, 'reason' | 'guidance' | 'agent'> & { readonly option: string };

export type ApprovalsResult = DataOf<typeof approvals>;

export async function approvals(input: ApprovalsInput) {
  if (input.action === 'report') return report(input);
  return inWorkspace(input, async (workspace) => {
    switch (input.action) {
      case 'verify':
        return verified(workspace);
      case 'decide':
        return decided(workspace, input);
      case 'show':
        return shown(workspace, input.id);
      default:
        return listed(workspace.store.state);
    }
  });
}

function listed(state: State) {
  return success({ action: 'list' as const, ...gatesIn(state) });
}

export function gatesIn({ human, incidents }: State) {
  return {
    open: human.requests.map(rowOf),
    incidents: openIncidents({ incidents }).map(({ id, taskId, at, summary, scope }) => ({
      id,
      task_id: taskId,
      at,
      why: summary,
      scope,
      command: resumeCommand(id),
    })),
    decided: human.decided.map(({ request, at, option, reason, user }) => ({
      id: request.id,
      gate: request.gate,
      task_id: request.facts.taskId,
      run: request.run,
      at,
      option,
      reason,
      user,
    })),
  };
}

function rowOf({ id, gate, facts, at, triggers, deadline, action }: GateRequest) {
  return {
    id,
    gate,
    task_id: facts.taskId,
    severity: facts.severity,
    at,
    deadline,
    why: triggers.map(({ text }) => text).join('; '),
    action: action?.shown ?? null,
  };
}

function shown({ store, config }: Workspace, id: string | null) {
  const found = findRequest(store.state, id);
  if (!found.ok) return found;
  const { request } = found;
  return success({
    action: 'show' as const,
    request: snakeKeys(request),
    options: optionsOf(request).map(({ option, key, label, needs }) => ({ option, key, label, needs })),
    authority: authorityFor(request, config.human.gates),
    panel: gatePanel(request, PANEL_WIDTH),
    text: gateText(request),
  });
}

const PANEL_WIDTH = 80;

async function decided(workspace: Workspace, input: ApprovalsInput) {
  const found = findRequest(workspace.store.state, input.id);
  if (!found.ok) return found;
  const { request } = found;
  const answer = input.option === null ? await input.ask?.(askingOf(workspace, request)) : null;
  const option = input.option ?? answer?.option ?? null;
  if (option === null)
    return failure(`${request.id} is still open: no option was given.`, `ralph approvals show ${request.id}`);
  const entry = findOption(request, option);
  if (!entry.ok) return entry;
  if (entry.entry.effect === 'shows')
    return success({
      action: 'view' as const,
      id: request.id,
      option,
      text: shownAtGate(workspace, request, option),
    });
  const done = await decideGate(workspace, request, entry.entry, { ...input, ...answer });
  if (!done.ok) return done;
  const { decision } = done;
  const next = await continueIn(workspace);
  if (next !== null) await markBlocked(workspace, request.facts.taskId);
  return success({
    action: 'decide' as const,
    id: request.id,
    task_id: request.facts.taskId,
    option: decision.option,
    user: decision.by.user,
    signed: decision.by.signature !== null,
    running: next === null,
    next,
  });
}

/** Marks the task in the list, because a missing mark would later look as if you had removed it. */
async function markBlocked({ store, tracker }: Workspace, taskId: string): Promise<void> {
  if (taskStateOf(store.state, taskId).blocked === null) return;
  // A task that is no longer in the list needs no mark.
  await tracker.show(taskId, 'blocked');
}

export function gateAt(input: ProjectInput & { readonly id: string }) {
  return inWorkspace(input, (workspace) => {
    const found = findRequest(workspace.store.state, input.id);
    return found.ok ? success(askingOf(workspace, found.request)) : found;
  });
}

export function askingOf(workspace: Workspace, request: GateRequest): Asking {
  return {
    request,
    keys: optionsOf(request).map(({ key, option, label, needs, effect }) => ({
      key,
      option,
      label,
      needs,
      effect,
    })),
    panel: (width) => gatePanel(request, width, false),
    sections: gateSections(request),
    show: (option) => shownAtGate(workspace, request, option),
  };
}

async function verified(workspace: Workspace) {
  const problems = await checkLog(workspace);
  const { head, lines } = workspace.store.state.human.audit;
  const code = problems.length === 0 ? EXIT.ok : EXIT.unexpected;
  return success(
    {
      action: 'verify' as const,
      path: `.ralph/${AUDIT_LOG}`,
      lines: lines.length,
      head: head.hash,
      problems,
    },
    code,
  );
}

/** Records your report that an event's finding is wrong. The human gate for false positives decides. */
function report(input: ApprovalsInput) {
  const { id, reason } = input;
  if (id === null) return failure('Which event? Name it, such as e-12.', 'ralph interventions');
  if (reason === null || reason.trim() === '')
    return failure(
      '--reason is required: why is it a false positive?',
      `ralph approvals report ${id} --reason …`,
    );
  return inTaskList(input, async ({ project, tasks }) => {
    const { store, config, root } = project;
    const event = store.state.events.find((one) => one.id === id);
    const taskId = event?.details.task_id;
    if (event === undefined) return failure(`There is no event ${id}.`, 'ralph interventions');
    if (typeof taskId !== 'string') return failure(`${id} is about no task.`, 'ralph interventions');
    const task = tasks.find((one) => one.id === taskId);
    const refused = whyNot(store.state, event, taskId, task?.status ?? null);
    if (refused !== null) return refused;
    const at = systemClock().now();
    const by = (await (await openPorcelain(root)).email()) ?? 'you';
    const text = `${id} was reported as a false positive: ${reason}`;
    const gate = 'GATE-AP-FALSE-POSITIVE' as const;
    const facts = {
      ...NO_GATE_FACTS,
      taskId,
      title: task?.title ?? '',
      agent: String(event.details.agent ?? ''),
      patterns: [String(event.details.issue ?? event.event_type)],
      files: filesOf(event.details),
      detectedAt: event.timestamp,
      reported: { event: id, by, reason },
      signs: findingsOf(store, event).map(signOf),
    };
    const draft = { gate, facts, triggers: [{ gate, name: 'reported' as const, text }], action: null };
    let request: GateRequest | null = null;
    store.commit((state) => {
      const { run, iteration } = event;
      request = requestFrom({ draft, at, run, iteration, gates: config.human.gates }, state.human);
      const entry = {
        kind: 'report',
        timestamp: at,
        decision: 'report',
        user: by,
        human_feedback: text,
      } as const;
      return [{ type: 'human_gate_opened', request }, ...auditRecords(state, [plainEntry(entry)], at)];
    });
    store.writeViews();
    const opened = requestOf(store.state.human, taskId);
    return success({ action: 'report' as const, id: opened?.id ?? '', task_id: taskId, event: id });
  });
}

function whyNot(
  state: State,
  { id, run, iteration }: State['events'][number],
  taskId: string,
  status: string | null,
): Failure | null {
  const decided = state.human.decided.findLast(({ request, option }) => {
    if (request.facts.taskId !== taskId || option === 'timeout') return false;
    const isOfAttempt = request.run === run && request.iteration === iteration;
    return request.facts.reported?.event === id || (option === 'abort' && isOfAttempt);
  });
  if (decided !== undefined)
    return failure(
      `${id} was decided at ${decided.request.id}: ${decided.option}. It isn't asked a second time.`,
      decided.option === 'abort' ? `ralph unblock ${taskId}` : 'ralph approvals',
    );
  const open = requestOf(state.human, taskId);
  if (open !== null)
    return failure(`${taskId} waits at ${open.id} already.`, `ralph approvals show ${open.id}`);
  if (status === 'done') return failure(`${taskId} is done: nothing stands in its way.`, 'ralph tasks');
  const atWork = openIterations(state).some((one) => one.taskId === taskId);
  return atWork
    ? failure(`${taskId} is being worked on. Report it after the attempt.`, 'ralph status')
    : null;
}

function filesOf(details: Readonly<Record<string, unknown>>): string[] {
  const { paths, files, path } = details;
  const listed = [paths, files].find(Array.isArray) ?? (typeof path === 'string' ? [path] : []);
  return listed.filter((one): one is string => typeof one === 'string');
}

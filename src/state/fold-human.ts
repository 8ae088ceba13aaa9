import { own } from 'ralph-kit/own';
import { firstFew, pathText } from 'ralph-kit/text';
import type { DecidedGate, GateDecision, GateOption, GateRequest } from '../domain/human/gate.ts';
import {
  ACTIONS_KEPT,
  actionRequestsOf,
  DECIDED_KEPT,
  EXAMPLES_KEPT,
  type GateTotals,
  NO_GATE_TOTALS,
  requestOf,
  WHITELIST_KEPT,
} from '../domain/human/state.ts';
import { openIncidents } from '../domain/incident.ts';
import type { JournalBodyOf, JournalRecordOf } from '../domain/records/journal.ts';
import { type BlockedRecord, type TaskState, taskStateOf } from '../domain/records/state.ts';
import { type Draft, setOwn } from './draft.ts';
import { NO_INTERVENTIONS } from './fold-interventions.ts';

export type Reopen = (draft: Draft, taskId: string, how: Reopened) => void;
type Reopened = { readonly at: string; readonly reason: string; readonly fresh: boolean };

export function foldGateOpened(draft: Draft, { request }: JournalBodyOf<'human_gate_opened'>): void {
  const { id, gate, facts, triggers, action } = request;
  const { counters, requests } = draft.human;
  const task = taskStateOf(draft, facts.taskId);
  const where = facts.files.length === 0 ? '' : ` (${firstFew(facts.files.map(pathText))})`;
  // Work that was kept before a request is the work that the request is about.
  const diffSha256 = request.diffSha256 ?? task.setAside?.sha256 ?? null;
  draft.human = {
    ...draft.human,
    counters: { ...counters, gate: Math.max(counters.gate, Number(id.slice('G-'.length))) },
    requests: [...requests, action === null ? { ...request, diffSha256 } : request],
  };
  count(draft, gate, ({ opened }) => ({ opened: opened + 1 }));
  if (action !== null) return;
  setOwn(draft.tasks, facts.taskId, {
    ...task,
    parked: true,
    inProgress: false,
    blocked: null,
    staleMark: task.blocked === null ? task.staleMark : 'blocked',
    parkedBecause: `${id}: ${triggers.map(({ text }) => text).join('; ')}${where}`,
  });
}

/** Effect of each option on the task. `waits`: the request stays open. */
const EFFECTS: Readonly<Record<GateOption, 'continues' | 'starts_anew' | 'blocked' | 'waits'>> = {
  approve: 'continues',
  retry: 'continues',
  delegate: 'continues',
  legitimate: 'continues',
  whitelist: 'continues',
  violation: 'starts_anew',
  suggest: 'starts_anew',
  reject: 'starts_anew',
  abort: 'blocked',
  'needs-review': 'waits',
  view: 'waits',
  diff: 'waits',
  history: 'waits',
};

export function foldGateDecided(
  draft: Draft,
  record: JournalRecordOf<'human_gate_decided'>,
  reopen: Reopen,
): void {
  const { decision, at } = record;
  const { option, reason } = decision;
  const request = draft.human.requests.find(({ id }) => id === decision.request);
  if (request === undefined) return;
  if (EFFECTS[option] === 'waits') {
    const noted = { ...request, notes: [...request.notes, `${decision.by.user}: ${reason}`] };
    const requests = draft.human.requests.map((one) => (one === request ? noted : one));
    draft.human = { ...draft.human, requests };
    return;
  }
  close(draft, request, decision, at);
  if (request.action !== null) {
    if (option === 'approve')
      approveAction(draft, request.facts.taskId, { request: request.id, ...request.action });
    release(draft, request.facts.taskId);
    return;
  }
  const decidedText = `${request.id} ${option}${reason === '' ? '' : `: ${reason}`}`;
  const rejected = option === 'reject' && request.gate === 'GATE-AP-RECOVERY';
  if (EFFECTS[option] === 'blocked' || rejected) {
    block(draft, request, `Decided at ${decidedText}`, at);
    return;
  }
  const { taskId } = request.facts;
  reopen(draft, taskId, { at, reason: decidedText, fresh: EFFECTS[option] === 'starts_anew' });
  const task = taskStateOf(draft, taskId);
  const isApproved = option === 'approve' || option === 'legitimate' || option === 'whitelist';
  const approval = { request: request.id, diffSha256: request.diffSha256 };
  // Feedback against work that you approved no longer applies.
  if (isApproved && request.gate !== 'GATE-AP-RECOVERY')
    draft.feedback = draft.feedback.filter((one) => one.taskId !== taskId || one.source !== 'loop');
  setOwn(draft.tasks, taskId, {
    ...task,
    decisions: {
      ...task.decisions,
      agent: decision.agent ?? task.decisions.agent,
      approved: isApproved ? [...task.decisions.approved, approval] : task.decisions.approved,
    },
  });
}

function close(draft: Draft, request: GateRequest, { option, by, reason }: GateDecision, at: string): void {
  const { id, gate, facts } = request;
  const { patterns, files } = facts;
  end(draft, { request, at, option, reason, user: by.user });
  const seconds = Math.max(0, (Date.parse(at) - Date.parse(request.at)) / 1000);
  count(draft, gate, (totals) => ({
    decided: { ...totals.decided, [option]: (totals.decided[option] ?? 0) + 1 },
    seconds: totals.seconds + (Number.isFinite(seconds) ? seconds : 0),
    attempts: totals.attempts + facts.recoveryAttempts,
  }));
  if (gate !== 'GATE-AP-FALSE-POSITIVE') return;
  const isFalse = option !== 'violation';
  const detections = { ...draft.human.detections };
  for (const pattern of patterns) {
    const { confirmed, falsePositives } = own(detections, pattern) ?? { confirmed: 0, falsePositives: 0 };
    setOwn(detections, pattern, {
      confirmed: confirmed + (isFalse ? 0 : 1),
      falsePositives: falsePositives + (isFalse ? 1 : 0),
    });
  }
  const example = { request: id, patterns, files, reason, at };
  const examples = isFalse ? [...draft.human.examples, example].slice(-EXAMPLES_KEPT) : draft.human.examples;
  draft.human = { ...draft.human, detections, examples };
}

export function foldGateTimedOut(draft: Draft, record: JournalRecordOf<'human_gate_timed_out'>): void {
  const request = draft.human.requests.find(({ id }) => id === record.request);
  if (request === undefined) return;
  count(draft, request.gate, ({ timedOut }) => ({ timedOut: timedOut + 1 }));
  if (request.action === null && request.onTimeout === 'escalate') {
    const escalated = { ...request, escalated: true, deadline: null };
    const requests = draft.human.requests.map((one) => (one === request ? escalated : one));
    draft.human = { ...draft.human, requests };
    return;
  }
  end(draft, { request, at: record.at, option: 'timeout', reason: '', user: 'ralph' });
  if (request.action === null)
    block(draft, request, `${request.id} was not decided by ${request.deadline ?? record.at}`, record.at);
  else release(draft, request.facts.taskId);
}

function approveAction(
  draft: Draft,
  taskId: string,
  { request, sha256 }: { readonly request: string; readonly sha256: string },
): void {
  const task = taskStateOf(draft, taskId);
  const { decisions } = task;
  const actions = [...decisions.actions, { request, sha256 }].slice(-ACTIONS_KEPT);
  setOwn(draft.tasks, taskId, { ...task, decisions: { ...decisions, actions } });
}

/** Removes the approval of an action, because it counts only once. */
export function foldActionAllowed(
  draft: Draft,
  { taskId, request }: JournalBodyOf<'gated_action_allowed'>,
): void {
  const task = taskStateOf(draft, taskId);
  const { decisions } = task;
  const actions = decisions.actions.filter((one) => one.request !== request);
  setOwn(draft.tasks, taskId, { ...task, decisions: { ...decisions, actions } });
}

/** Lets a task continue if it only waited for decisions about its actions, and all are made. */
function release(draft: Draft, taskId: string): void {
  const task = taskStateOf(draft, taskId);
  const waits = task.parked && task.attempts.at(-1)?.verdict === 'awaiting_human';
  const isHeld =
    actionRequestsOf(draft.human, taskId).length > 0 ||
    requestOf(draft.human, taskId) !== null ||
    openIncidents(draft).some((one) => one.taskId === taskId);
  if (waits && !isHeld) setOwn(draft.tasks, taskId, { ...task, parked: false, parkedBecause: null });
}

export function endManual(draft: Draft, taskId: string): void {
  for (const { id } of actionRequestsOf(draft.human, taskId)) remove(draft, id);
  const task = taskStateOf(draft, taskId);
  setOwn(draft.tasks, taskId, { ...task, decisions: { ...task.decisions, manual: null, actions: [] } });
}

export function foldAuditLogged(draft: Draft, { line }: JournalBodyOf<'audit_logged'>): void {
  const { n, hash, sealed, kind } = line;
  const isSealed = (one: number) => sealed.some(({ from, to }) => one >= from && one <= to);
  const { audit, refused } = draft.human;
  const lines = [...audit.lines.filter((one) => !isSealed(one.n)), line];
  draft.human = {
    ...draft.human,
    audit: { head: { n, hash }, lines },
    refused: refused + (kind === 'refused' ? 1 : 0),
  };
  if (kind === 'auto_approved' && line.gate_id !== null)
    count(draft, line.gate_id, ({ autoApproved }) => ({ autoApproved: autoApproved + 1 }));
}

export function foldWhitelistChanged(draft: Draft, { entry }: JournalBodyOf<'whitelist_changed'>): void {
  const { counters, whitelist } = draft.human;
  const number = Math.max(counters.whitelist, Number(entry.id.slice('W-'.length)));
  const others = whitelist.filter(({ id }) => id !== entry.id);
  draft.human = {
    ...draft.human,
    counters: { ...counters, whitelist: number },
    whitelist: [...others, entry].slice(-WHITELIST_KEPT),
  };
}

export function dropRequestsOf(draft: Draft, taskId: string): void {
  for (const { id, facts } of draft.human.requests) if (facts.taskId === taskId) remove(draft, id);
}

export function noteKeptChange(draft: Draft, taskId: string, diffSha256: string): void {
  const requests = draft.human.requests.map((one) =>
    one.facts.taskId === taskId && one.action === null ? { ...one, diffSha256 } : one,
  );
  draft.human = { ...draft.human, requests };
}

function end(draft: Draft, decided: DecidedGate): void {
  remove(draft, decided.request.id);
  draft.human = { ...draft.human, decided: [...draft.human.decided, decided].slice(-DECIDED_KEPT) };
}

function remove(draft: Draft, id: string): void {
  draft.human = { ...draft.human, requests: draft.human.requests.filter((one) => one.id !== id) };
}

function count(draft: Draft, gate: string, change: (totals: GateTotals) => Partial<GateTotals>): void {
  const before = own(draft.human.totals, gate) ?? NO_GATE_TOTALS;
  const totals = { ...draft.human.totals, [gate]: { ...before, ...change(before) } };
  draft.human = { ...draft.human, totals };
}

function block(draft: Draft, { facts, run, iteration }: GateRequest, detail: string, at: string): void {
  const task = taskStateOf(draft, facts.taskId);
  const blocked = blockedByYou(draft, task, { run, iteration, detail, at });
  setOwn(draft.tasks, facts.taskId, { ...task, ...NO_INTERVENTIONS, ...blocked });
}

type BlockFacts = Pick<BlockedRecord, 'run' | 'iteration' | 'detail' | 'at'>;
type BlockedState = Pick<TaskState, 'blocked' | 'settledAt' | 'inProgress' | 'parked' | 'unmarked'>;

export function blockedByYou(
  { heads }: Draft,
  { attempts }: Pick<TaskState, 'attempts'>,
  facts: BlockFacts,
): BlockedState {
  const tails = { outputTail: '', failedGateTail: '' };
  return {
    blocked: { reason: 'human_rejected', ...facts, attempts, ...tails },
    settledAt: heads.known,
    inProgress: false,
    parked: false,
    unmarked: true,
  };
}

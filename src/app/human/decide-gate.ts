import { sha256 } from 'ralph-kit/files/sha256';
import { didYouMean } from 'ralph-kit/nearest';
import {
  type AuditEntry,
  GATE_OPTIONS,
  type GateDecision,
  type GateOption,
  type GateRequest,
} from '../../domain/human/gate.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import type { State } from '../../domain/records/state.ts';
import { chained, entryOf, expiryAfter, isLate, sealed, timeoutRecords } from '../../respond/human/index.ts';
import { alternativesFor, type OptionEntry, optionsOf } from '../../tell/index.ts';
import { type Failure, failure } from '../result.ts';
import type { Workspace } from '../setup/workspace.ts';
import { authorise } from './authority.ts';

export type DecisionInput = {
  readonly reason: string | null;
  readonly guidance: string | null;
  readonly agent: string | null;
  readonly key: string | null;
  /** Who decided in a chat; absent: you, on the machine. */
  readonly by?: string;
};

type Found = { readonly ok: true; readonly request: GateRequest };

/** Returns an open request by id or number, or for `null` the only open one. Fails if there is none. */
export function findRequest({ human }: Pick<State, 'human'>, wanted: string | null): Found | Failure {
  const ids = human.requests.map(({ id }) => id);
  const open = ids.length === 0 ? 'None is open.' : `Open: ${ids.join(', ')}.`;
  if (wanted === null) {
    const [request] = human.requests;
    if (request !== undefined && ids.length === 1) return { ok: true, request };
    return failure(
      ids.length === 0 ? 'Nothing waits for your decision.' : `Which one? ${open}`,
      'ralph approvals',
    );
  }
  const id = /^\d+$/.test(wanted) ? `G-${wanted}` : wanted.toUpperCase();
  const request = human.requests.find((one) => one.id === id);
  if (request !== undefined) return { ok: true, request };
  const over = human.decided.find((one) => one.request.id === id);
  if (over === undefined) return failure(`There is no request ${wanted}. ${open}`, 'ralph approvals');
  const by = over.option === 'timeout' ? 'by its timeout' : `with ${over.option} by ${over.user}`;
  return failure(`${id} was decided ${by} at ${over.at}. Nothing was changed.`, 'ralph approvals');
}

export function findOption(
  request: GateRequest,
  wanted: string,
): { readonly ok: true; readonly entry: OptionEntry } | Failure {
  const { id, gate } = request;
  const options = optionsOf(request);
  const names = options.map(({ option }) => option);
  const name = wanted.toLowerCase().replaceAll('_', '-');
  const entry = options.find(({ option }) => option === name);
  if (entry !== undefined) return { ok: true, entry };
  const elsewhere = (GATE_OPTIONS as readonly string[]).includes(name);
  const what = elsewhere ? `${id} (${gate}) can't be decided with ${name}.` : `${wanted} isn't an option.`;
  return failure(
    `${what}${didYouMean(name, names)} Options: ${names.join(', ')}.`,
    `ralph approvals show ${id}`,
  );
}

export type Decided = {
  readonly ok: true;
  readonly request: GateRequest;
  readonly decision: GateDecision;
};

export async function decideGate(
  workspace: Workspace,
  request: GateRequest,
  entry: OptionEntry,
  { reason, guidance, agent, key, by }: DecisionInput,
): Promise<Decided | Failure> {
  const { id } = request;
  const answer = { reason: reason ?? '', guidance: guidance ?? '', agent };
  const missing = entry.needs !== null && (answer[entry.needs] ?? '').trim() === '' ? entry.needs : null;
  if (missing !== null)
    return failure(
      `${entry.option} needs --${missing}. Nothing was decided.`,
      `ralph approvals decide ${id} ${entry.option} --${missing} …`,
    );
  const unknown = entry.option === 'delegate' ? unknownAgent(workspace, agent ?? '') : null;
  if (unknown !== null) return unknown;
  const at = workspace.clock.now();
  const untimely = notInTime(workspace, request, at);
  if (untimely !== null) return untimely;
  const given = { option: entry.option, ...answer, agent: entry.option === 'delegate' ? agent : null };
  const authorised = await authorise(
    workspace,
    request,
    { ...given, at },
    { keyFile: key, inChat: by ?? null },
  );
  if (!authorised.ok) return authorised;
  const decision: GateDecision = { request: id, ...given, by: authorised.by };
  let gone: Failure | null = null;
  workspace.store.commit((state) => {
    const found = findRequest(state, id);
    gone = found.ok ? null : found;
    return found.ok ? decisionRecords(state, { request, decision, entry, at }) : [];
  });
  if (gone !== null) return gone;
  workspace.store.writeViews();
  return { ok: true, request, decision };
}

/**
 * Returns a failure for a decision before its request, or after the request's time limit; `null`: it is in time. A
 * request that is escalated at its limit stays open.
 */
function notInTime(
  { store, clock }: Workspace,
  { id, at: opened }: GateRequest,
  now: string,
): Failure | null {
  if (Date.parse(now) < Date.parse(opened))
    return failure(
      `The clock says ${now}, and ${id} was opened at ${opened}. Nothing was decided.`,
      `ralph approvals show ${id}`,
    );
  let late: GateRequest | undefined;
  store.commit(({ human }) => {
    late = human.requests.find((one) => one.id === id && isLate(one, clock.now()));
    return late === undefined ? [] : timeoutRecords([late], human.audit.head, now, sha256);
  });
  if (late === undefined) return null;
  store.writeViews();
  if (store.state.human.requests.some((one) => one.id === id)) return null;
  const { deadline, action, facts } = late;
  const became = action === null ? `${facts.taskId} is blocked` : 'The action is denied';
  return failure(
    `The time for ${id} was over at ${deadline}. ${became}; nothing was decided.`,
    action === null ? `ralph unblock ${facts.taskId}` : 'ralph approvals',
  );
}

/** Returns a failure unless the agent is one of the run's, whose review and box you configured; `null`: it is. */
function unknownAgent({ config }: Workspace, agent: string): Failure | null {
  const known = [config.loop.agent, ...config.loop.fallback];
  if (known.includes(agent)) return null;
  return failure(
    `${agent} isn't an agent of your runs.${didYouMean(agent, known)} They are: ${known.join(', ')}. Add it to [loop] fallback. Nothing was decided.`,
    'ralph doctor --agents',
  );
}

type Deciding = {
  readonly request: GateRequest;
  readonly decision: GateDecision;
  readonly entry: OptionEntry;
  readonly at: string;
};

function decisionRecords(state: State, { request, decision, entry, at }: Deciding): JournalBody[] {
  const { option, reason, guidance, by } = decision;
  const feedback = [reason, guidance].filter((text) => text !== '').join('\n');
  const logged = entryOf(request, { kind: 'decision', decision: option, at, feedback, by });
  const text = entry.effect === 'decides' && request.action === null ? messageOf(request, decision) : null;
  return [
    { type: 'human_gate_decided', decision },
    ...auditRecords(state, [logged], at),
    ...(text === null ? [] : [guidanceRecord(request.facts.taskId, at, text)]),
    ...(option === 'whitelist' ? whitelistRecords(state, request, decision, at) : []),
  ];
}

/** Returns new lines for the audit log, and a seal for lines that retention removes. */
export function auditRecords(
  { human }: Pick<State, 'human'>,
  entries: readonly AuditEntry[],
  now: string,
): JournalBody[] {
  let { head } = human.audit;
  const lines = entries.map((entry) => {
    const line = chained(head, entry, sha256);
    head = { n: line.n, hash: line.hash };
    return line;
  });
  const old = sealed([...human.audit.lines, ...lines], head, now, sha256);
  return [...lines, ...(old === null ? [] : [old.seal])].map((line) => ({ type: 'audit_logged', line }));
}

function guidanceRecord(taskId: string, at: string, text: string): JournalBody {
  return {
    type: 'feedback_added',
    entry: { at, taskId, iteration: null, kind: 'guidance', source: 'person', text },
  };
}

/** Returns your message for the agent's next attempt; `null`: there is none. */
function messageOf(
  { id, gate, facts }: GateRequest,
  { option, reason, guidance }: GateDecision,
): string | null {
  const explanation = [reason, guidance].filter((text) => text !== '').join('\n');
  const because = explanation === '' ? '' : `\n\n${explanation}`;
  switch (option satisfies GateOption) {
    case 'approve':
    case 'legitimate':
    case 'whitelist':
      return gate === 'GATE-AP-RECOVERY'
        ? `The user lets you continue (${id}). Your work is in the tree where it still applies.${because}`
        : `The user approved your change (${id}). It is in the tree where it still applies and counts as your work: keep it. If nothing is left to do, report DONE and show it as evidence.${because}`;
    case 'retry':
    case 'delegate':
      return explanation === '' ? null : explanation;
    case 'reject':
    case 'violation':
    case 'suggest':
      return `The user rejected your change (${id}: ${facts.patterns.join(', ')}). It is out of the work tree. Instead: ${alternativesFor(facts).join(' ')}${because}`;
    default:
      return null;
  }
}

function whitelistRecords(
  { human }: State,
  { facts }: GateRequest,
  { reason, by }: GateDecision,
  at: string,
): JournalBody[] {
  const pairs = facts.patterns.flatMap((pattern) => facts.files.map((path) => ({ pattern, path })));
  return pairs.map(({ pattern, path }, index) => ({
    type: 'whitelist_changed',
    entry: {
      id: `W-${human.counters.whitelist + 1 + index}`,
      pattern,
      path,
      justification: reason,
      by: by.user,
      at,
      expiresAt: expiryAfter(at),
      removedAt: null,
    },
  }));
}

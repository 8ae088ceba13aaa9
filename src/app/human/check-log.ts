import { basename } from 'node:path';
import { sha256 } from 'ralph-kit/files/sha256';
import { isObject } from 'ralph-kit/is-object';
import { severityNamed } from 'ralph-kit/severity';
import { tryOr } from 'ralph-kit/try-or';
import type { AuditLine, GateRequest } from '../../domain/human/gate.ts';
import type { State } from '../../domain/records/state.ts';
import {
  type AuditProblem,
  type Authority,
  authorityFor,
  isTooOld,
  verifyAudit,
} from '../../respond/human/index.ts';
import type { Workspace } from '../setup/workspace.ts';
import { type Decision, notApproved, payloadOf, signerIn } from './authority.ts';

/** Path of the audit log, relative to `.ralph/`. */
export const AUDIT_LOG = 'gates/decisions.log';

/**
 * A problem in the audit log. `time`: a decision outside of the request's time limits; `unlogged`: a decision without a
 * line in the log.
 */
export type LogProblem = Omit<AuditProblem, 'kind'> & {
  readonly kind: AuditProblem['kind'] | 'signature' | 'time' | 'unlogged';
};

export async function checkLog(workspace: Workspace): Promise<LogProblem[]> {
  const { state } = workspace.store;
  const { head, lines } = state.human.audit;
  const text = workspace.store.readDocument(AUDIT_LOG);
  const problems: LogProblem[] = verifyAudit(text ?? '', head, sha256);
  const signatures = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const add = (kind: 'signature' | 'time', message: string | null) => {
      if (message !== null)
        problems.push({ kind, line: index + 1, message: `line ${line.n} (${line.request}): ${message}` });
    };
    if (line.kind !== 'decision' || line.request === null) continue;
    const request = requestIn(state, line.request);
    const signed = line.signature?.text ?? null;
    const isAgain = signed !== null && signatures.has(signed);
    add(
      'signature',
      isAgain ? 'its signature is of a line before' : await signatureProblem(workspace, line, request),
    );
    add('time', request === null ? null : timeProblem(line, request));
    if (signed !== null) signatures.add(signed);
  }
  const unapproved = signatures.size === 0 ? null : notApproved(workspace);
  if (unapproved !== null)
    problems.push({
      kind: 'signature',
      line: null,
      message: `[human.people] names whose signatures count, and ${UNAPPROVED}`,
    });
  return [...problems, ...unlogged(workspace)];
}

const UNAPPROVED = "the settings hold something that you haven't approved (`ralph trust`)";

/** Returns the request of a log line; `null`: it is too old to be in the state. */
function requestIn({ human }: State, id: string): GateRequest | null {
  const decided = human.decided.find((one) => one.request.id === id);
  return decided?.request ?? human.requests.find((one) => one.id === id) ?? null;
}

/** Returns why a line's signature is missing or invalid; `null`: it is valid, or not required. */
async function signatureProblem(
  workspace: Workspace,
  line: AuditLine,
  request: GateRequest | null,
): Promise<string | null> {
  const { signature, user } = line;
  const authority = authorityOf(line, request, workspace);
  if (signature === null) return authority.signed ? "it isn't signed" : null;
  if (!fits(signature.payload, line, request, workspace)) return 'what was signed is another decision';
  const signer = await signerIn(workspace, signature.payload, signature.text, authority.role);
  if (signer === null) return 'the signer may not decide';
  return signer[0] === user ? null : `signed by ${signer[0]}, logged for ${user}`;
}

/** Returns the authority that a decision required: by its request, otherwise by the facts in the log line. */
function authorityOf(line: AuditLine, request: GateRequest | null, { config }: Workspace): Authority {
  const { gates } = config.human;
  if (request !== null) return authorityFor(request, gates);
  const { gate_id: gate, context } = line;
  if (gate === null) return { role: 'developer', signed: false };
  const severity = severityNamed(context?.severity) ?? 'critical';
  return authorityFor({ gate, facts: { severity } }, gates);
}

function fits(
  payload: string,
  { request: id, gate_id, decision, timestamp, context, human_feedback }: AuditLine,
  request: GateRequest | null,
  { stateHome }: Workspace,
): boolean {
  const signed = parsed(payload);
  if (signed === null) return false;
  const { option, reason, guidance, agent, at } = signed;
  const words = [reason, guidance].filter((text) => text !== '').join('\n');
  const isOfLine =
    signed.repository === basename(stateHome) &&
    signed.request === id &&
    signed.gate === gate_id &&
    signed.task === context?.task &&
    signed.diff_sha256 === context?.diff_sha256 &&
    option === decision &&
    at === timestamp &&
    words === human_feedback;
  if (!isOfLine || request === null) return isOfLine;
  const given = { option, reason, guidance, agent, at } as Decision;
  return payload === payloadOf({ stateHome }, request, given);
}

function parsed(payload: string): Record<string, unknown> | null {
  const content: unknown = tryOr(null, () => JSON.parse(payload));
  return isObject(content) ? content : null;
}

function timeProblem({ timestamp }: AuditLine, { at, deadline }: GateRequest): string | null {
  const decided = Date.parse(timestamp);
  if (decided < Date.parse(at)) return `decided at ${timestamp}, before it was opened at ${at}`;
  if (deadline === null || decided < Date.parse(deadline)) return null;
  return `decided at ${timestamp}, and its time was over at ${deadline}`;
}

/**
 * Returns decisions of the state that have no line in the log. Decisions old enough to be removed by retention are left
 * out.
 */
function unlogged({ store }: Workspace): LogProblem[] {
  const { audit, decided } = store.state.human;
  const seals = audit.lines.filter(({ kind }) => kind === 'sealed');
  return decided
    .filter(({ request: { id, gate }, option, at }) => {
      const isSealed = seals.some(({ timestamp: sealed }) =>
        isTooOld({ timestamp: at, gate_id: gate }, sealed),
      );
      const isLine = ({ request, decision, kind }: AuditLine) =>
        request === id && (option === 'timeout' ? kind === 'timeout' : decision === option);
      return !isSealed && !audit.lines.some(isLine);
    })
    .map(({ request, option, user, at }) => ({
      kind: 'unlogged' as const,
      line: null,
      message: `${request.id} was decided with ${option} by ${user} at ${at}, and the log has no line of it`,
    }));
}

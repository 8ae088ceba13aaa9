import type { AuditLine } from '../../domain/human/gate.ts';
import type { State } from '../../domain/records/state.ts';
import { type AuditProblem, authorityFor, verifyAudit } from '../../human/index.ts';
import { sha256 } from '../../io/ids.ts';
import { isRecord } from '../../lib/is-record.ts';
import type { Workspace } from '../setup/project.ts';
import { signerIn } from './authority.ts';

/** Relative to `.ralph/`. */
export const AUDIT_LOG = 'gates/decisions.log';

export type LogProblem = Omit<AuditProblem, 'kind'> & { readonly kind: AuditProblem['kind'] | 'signature' };

/** What is wrong with the audit log, and with the signatures in it. */
export async function checkLog(workspace: Workspace): Promise<LogProblem[]> {
  const { store } = workspace;
  const { head } = store.state.human.audit;
  const text = store.readDocument(AUDIT_LOG);
  const problems: LogProblem[] = verifyAudit(text ?? '', head, sha256);
  for (const [index, line] of store.state.human.audit.lines.entries()) {
    const message = await signatureProblem(workspace, line);
    if (message !== null) problems.push({ kind: 'signature', line: index + 1, message });
  }
  return problems;
}

/** `null`: its signature is right, or it needs none. */
async function signatureProblem(workspace: Workspace, line: AuditLine): Promise<string | null> {
  const { kind, request: id, signature, user, n } = line;
  if (kind !== 'decision' || id === null) return null;
  const authority = authorityOf(workspace.store.state, workspace, id);
  if (signature === null) return authority?.signed === true ? `line ${n} (${id}) isn't signed` : null;
  if (!fits(signature.payload, line)) return `line ${n} (${id}): what was signed is another decision`;
  const role = authority?.role ?? 'developer';
  const signer = await signerIn(workspace, signature.payload, signature.text, role);
  if (signer === null) return `line ${n} (${id}): the signature is of nobody who may decide`;
  return signer[0] === user ? null : `line ${n} (${id}): signed by ${signer[0]}, logged for ${user}`;
}

function authorityOf({ human }: State, { config }: Workspace, id: string) {
  const request =
    human.decided.find((one) => one.request.id === id)?.request ??
    human.requests.find((one) => one.id === id);
  return request === undefined ? null : authorityFor(request, config.human.gates);
}

/** A signature fits one decision of one request. */
function fits(payload: string, { request, decision, timestamp, context }: AuditLine): boolean {
  try {
    const said: unknown = JSON.parse(payload);
    return (
      isRecord(said) &&
      said.request === request &&
      said.option === decision &&
      said.at === timestamp &&
      said.task === context?.task &&
      said.diff_sha256 === context?.diff_sha256
    );
  } catch {
    return false;
  }
}

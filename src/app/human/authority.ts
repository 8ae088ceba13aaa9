import { hostname, userInfo } from 'node:os';
import { basename } from 'node:path';
import { sha256 } from 'ralph-kit/files/sha256';
import { type DecidedBy, GateFacts, type GateRequest } from '../../domain/human/gate.ts';
import type { HumanSettings, Role } from '../../domain/human/settings.ts';
import { openPorcelain } from '../../git/index.ts';
import { plainKey, type Signer, signerOf, signWith } from '../../io/signing/ssh-keys.ts';
import { authorityFor, mayDecide } from '../../respond/human/index.ts';
import { type Failure, failure } from '../result.ts';
import { checkTrust } from '../setup/check-trust.ts';
import { trustedByEnvironment } from '../setup/trust/trust-file.ts';
import type { Workspace } from '../setup/workspace.ts';

export type Decision = {
  readonly option: string;
  readonly reason: string;
  readonly guidance: string;
  readonly agent: string | null;
  readonly at: string;
};

/** Mail addresses that a list of signers may have. */
const ADDRESS = /^[\w.+%-]+@[\w.-]+$/;

/** Returns who decides, with a signature if the gate requires one; a failure names what is missing. */
export async function authorise(
  workspace: Workspace,
  request: GateRequest,
  decision: Decision,
  { keyFile, inChat }: { readonly keyFile: string | null; readonly inChat: string | null },
): Promise<{ readonly ok: true; readonly by: DecidedBy } | Failure> {
  const { human } = workspace.config;
  const { role, signed } = authorityFor(request, human.gates);
  const untrusted = notApproved(workspace);
  if (untrusted !== null) return untrusted;
  if (inChat !== null) {
    if (!signed && Object.keys(human.people).length === 0)
      return { ok: true, by: { user: inChat, role: '', signature: null } };
    return failure(
      `${request.id} is decided on the machine: a chat doesn't show who you are. Nothing was decided.`,
      `ralph approvals decide ${request.id}`,
    );
  }
  const user = await (await openPorcelain(workspace.root)).email();
  const people = Object.entries(human.people);
  const able = people.filter(([name, one]) => ADDRESS.test(name) && mayDecide(one.role, role));
  if (!signed) {
    const person = people.find(([name]) => name === user);
    if (people.length === 0)
      return { ok: true, by: { user: user ?? localUser(), role: '', signature: null } };
    if (person === undefined || !able.includes(person)) return notAllowed(user, person?.[1].role, role, able);
    return { ok: true, by: { user: person[0], role: person[1].role, signature: null } };
  }
  if (able.every(([, { keys }]) => keys.length === 0)) return withoutKeys(request, user, role);
  // Your own keys are tried first, if the repository's git configuration knows who you are.
  const ordered = able.toSorted(([one], [other]) => Number(other === user) - Number(one === user));
  const payload = payloadOf(workspace, request, decision);
  const keys = ordered.flatMap(([, one]) => one.keys);
  const made = await signWith(payload, keys, { folder: workspace.stateHome, cwd: workspace.root, keyFile });
  if (!made.ok)
    return failure(
      `${request.id} needs the signature of ${named(able)}: ${made.reason}. Nothing was decided.`,
      'ralph approvals decide --help',
    );
  const signer = await signerIn(workspace, payload, made.text, role);
  if (signer === null)
    return failure(
      'The signature that was made does not verify. Nothing was decided.',
      'ralph approvals decide --help',
    );
  const [name, person] = signer;
  const signature = { key: made.key, payload, text: made.text };
  return { ok: true, by: { user: name, role: person.role, signature } };
}

/** Returns who signed; `null`: none of the signers has the required role. */
export async function signerIn(
  { config, stateHome, root }: Pick<Workspace, 'config' | 'stateHome' | 'root'>,
  payload: string,
  text: string,
  role: Role,
): Promise<[string, HumanSettings['people'][string]] | null> {
  const able = Object.entries(config.human.people).filter(
    ([name, one]) => ADDRESS.test(name) && mayDecide(one.role, role),
  );
  const signers: Signer[] = able.map(([name, { keys }]) => ({ name, keys: keys.map(plainKey) }));
  const signer = await signerOf(payload, text, signers, { folder: stateHome, cwd: root });
  return able.find(([name]) => name === signer) ?? null;
}

/** Returns the text to sign. It is valid for one repository, request, change and decision. */
export function payloadOf(
  { stateHome }: Pick<Workspace, 'stateHome'>,
  { id, gate, at: opened, run, facts, diffSha256 }: GateRequest,
  decision: Decision,
): string {
  return JSON.stringify({
    repository: basename(stateHome),
    request: id,
    gate,
    opened,
    run,
    task: facts.taskId,
    // Parsing sorts the members, so that equal facts have equal hashes.
    facts_sha256: sha256(JSON.stringify(GateFacts.parse(facts))),
    diff_sha256: diffSha256,
    ...decision,
  });
}

/**
 * Returns a failure if settings aren't approved, because an edit could change who may decide; `null`: all are approved.
 */
export function notApproved(workspace: Workspace): Failure | null {
  if (trustedByEnvironment()) return null;
  const { root, stateHome, config } = workspace;
  const { kind } = checkTrust({ root, stateHome, config, entries: workspace.configEntries() });
  if (kind !== 'untrusted') return null;
  return failure(
    "The settings hold something that you haven't approved. Nothing was decided.",
    'ralph trust',
  );
}

function notAllowed(
  user: string | null,
  has: Role | undefined,
  needed: Role,
  able: readonly (readonly [string, unknown])[],
): Failure {
  const you = user === null ? 'git knows no user.email of yours' : `You are ${user}`;
  const why = has === undefined ? 'which [human.people] does not name' : `a ${has.replace('_', ' ')}`;
  return failure(
    `${you}, ${why}. This needs a ${needed.replace('_', ' ')}: ${named(able)}. Nothing was decided.`,
    'ralph doctor --config',
  );
}

function withoutKeys({ id }: GateRequest, user: string | null, role: Role): Failure {
  const name = user ?? 'you@example.com';
  return failure(
    [
      `${id} needs a signature, and [human.people] has no key of a ${role.replace('_', ' ')}. Nothing was decided.`,
      'Make a key:        ssh-keygen -t ed25519 -C ralph -f ~/.ssh/ralph_ed25519',
      `Add it to .ralph/ralph.toml (the content of ~/.ssh/ralph_ed25519.pub):`,
      `  [human.people."${name}"]`,
      `  role = "${role}"`,
      '  keys = ["ssh-ed25519 AAAA…"]',
      'Approve the change: ralph trust',
    ].join('\n'),
    'ralph trust',
  );
}

function named(able: readonly (readonly [string, unknown])[]): string {
  return able.length === 0 ? 'none in [human.people]' : able.map(([name]) => name).join(', ');
}

function localUser(): string {
  return `${userInfo().username}@${hostname()}`;
}

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { doubtsOf } from '../../decide/index.ts';
import { headOf, PAYLOAD_TYPE, RECEIPT_NAMESPACE, Receipt } from '../../domain/receipt.ts';
import { VERIFY_EXIT } from '../../domain/verification.ts';
import { openGit, openPorcelain } from '../../git/index.ts';
import {
  type Envelope,
  firstProblem,
  readEnvelope,
  readExactly,
  signedBytes,
} from '../../io/signing/envelope.ts';
import { checkSignature } from '../../io/signing/ssh-signatures.ts';
import { type CommandResult, failure, success } from '../result.ts';
import { type SubjectOptions, subjectOf } from '../setup/verify/subject.ts';
import { workTreeAt } from '../setup/work-tree.ts';

export type CheckReceiptInput = {
  readonly cwd: string;
  readonly text: string;
  /** File of accepted signers in git's format, relative to `cwd`; `null`: git's own setting. */
  readonly signers: string | null;
  /** Work that the receipt has to be about; without one, the work that the receipt names. */
  readonly what: SubjectOptions;
};
export type CheckReceiptResult = {
  readonly holds: boolean;
  readonly against: readonly string[];
  readonly signers: readonly { readonly signer: string; readonly key: string }[];
  /** `null`: the receipt is refused, so its content isn't shown. */
  readonly receipt: ReturnType<typeof shownOf> | null;
};

/** Checks a receipt without running the work or using the network. Exit code: the verdict's, or `VERIFY_EXIT.usage`. */
export async function checkReceipt(input: CheckReceiptInput): Promise<CommandResult<CheckReceiptResult>> {
  const found = await workTreeAt(input.cwd);
  if (!found.ok) return { ...found, exitCode: VERIFY_EXIT.usage };
  const folder = mkdtempSync(join(tmpdir(), 'ralph-receipt-'));
  try {
    return await checkIn(found.top, folder, input);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkIn(
  root: string,
  folder: string,
  { cwd, text, signers, what }: CheckReceiptInput,
): Promise<CommandResult<CheckReceiptResult>> {
  const ask = await openPorcelain(root);
  const setting = signers ?? (await ask.setting('gpg.ssh.allowedSignersFile', 'path'));
  if (setting === null)
    return usage(
      'Nothing says whose receipts count.',
      'ralph verify --check FILE --signers allowed_signers, or git config gpg.ssh.allowedSignersFile FILE',
    );
  const allowed = resolve(signers === null ? root : cwd, setting);
  if (!existsSync(allowed)) return usage(`There is no list of signers ${setting}.`, 'ralph verify --help');
  const envelope = readEnvelope(text);
  if (!envelope.ok) return refused([`it ${envelope.reason}`]);
  const revoked = await ask.setting('gpg.ssh.revocationFile', 'path');
  const lists = { allowed, revoked: revoked === null ? null : resolve(root, revoked) };
  const signed = await signersOf(envelope.value, lists, { folder, cwd: root });
  const read = readReceipt(envelope.value);
  if (!read.ok) return refused([...signed.against, read.reason]);
  const receipt = read.value;
  const head = headOf(receipt);
  const { base } = receipt.predicate;
  const subject = isNothing(what) ? null : await subjectIn(root, folder, what);
  if (subject !== null && !subject.ok) return { ...subject, exitCode: VERIFY_EXIT.usage };
  const [headId, baseId] = [await ask.commitOf(head.gitCommit), await ask.commitOf(base.gitCommit)];
  const treeOf = async (id: string | null) => (id === null ? null : ask.treeOf(id));
  const areHere = headId !== null && baseId !== null;
  const doubts = doubtsOf(receipt, {
    head: await treeOf(headId),
    base: await treeOf(baseId),
    now: Date.now(),
    isBefore: areHere && (await ask.mergeBase(baseId, headId)) === baseId,
    isWhole: areHere && (await ask.isWhole([headId, baseId])),
    expected: subject === null ? null : { base: stateOf(subject.base), head: stateOf(subject.head) },
  });
  const against = [...signed.against, ...doubts];
  if (against.length > 0) return refused(against);
  return success(
    { holds: true, against, signers: signed.by, receipt: shownOf(receipt) },
    VERIFY_EXIT[receipt.predicate.verdict],
  );
}

function shownOf(receipt: Receipt) {
  const { base, verdict, grade, askedFor, issuedAt, ralph, gates } = receipt.predicate;
  return {
    verdict,
    grade,
    ralph,
    base: base.gitCommit,
    head: headOf(receipt).gitCommit,
    issued_at: issuedAt,
    asked_for: askedFor,
    gates: gates.map(({ name, run, standing: status, outputSha256 }) => ({
      name,
      run,
      standing: status,
      output_sha256: outputSha256,
    })),
  };
}

function usage(message: string, next: string) {
  return failure(message, next, VERIFY_EXIT.usage);
}

function refused(against: readonly string[]) {
  return success({ holds: false, against, signers: [], receipt: null }, VERIFY_EXIT.usage);
}

function isNothing({ range, branch, pr, staged, dirty }: SubjectOptions): boolean {
  return range === null && branch === null && pr === null && !staged && !dirty;
}

/** Every signature has to be accepted, because a stranger's signature beside a valid one isn't there by accident. */
async function signersOf(
  { type, payload, signatures }: Envelope,
  lists: { readonly allowed: string; readonly revoked: string | null },
  place: { readonly folder: string; readonly cwd: string },
) {
  if (signatures.length === 0) return { by: [], against: ["it isn't signed"] };
  const bytes = signedBytes(type, payload);
  const by: { readonly signer: string; readonly key: string }[] = [];
  const against: string[] = [];
  for (const [at, signature] of signatures.entries()) {
    const checked = await checkSignature(bytes, signature, { namespace: RECEIPT_NAMESPACE, ...lists }, place);
    const which = signatures.length === 1 ? 'its signature' : `its signature ${at + 1}`;
    if (checked.ok) by.push({ signer: checked.signer, key: checked.fingerprint });
    else against.push(`${which} ${checked.reason}`);
  }
  return { by, against };
}

type Read = { readonly ok: true; readonly value: Receipt } | { readonly ok: false; readonly reason: string };

function readReceipt({ type, payload }: Envelope): Read {
  if (type !== PAYLOAD_TYPE)
    return { ok: false, reason: `its payload is ${JSON.stringify(type)}, which isn't a receipt's` };
  const read = readExactly(payload.toString('utf8'));
  if (!read.ok) return { ok: false, reason: `its payload ${read.reason}` };
  const parsed = Receipt.safeParse(read.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, reason: `its payload isn't a receipt of this ralph (${firstProblem(parsed.error)})` };
}

async function subjectIn(root: string, folder: string, what: SubjectOptions) {
  const opened = await openGit({ root });
  if (!opened.ok) return failure(opened.message, opened.next ?? 'ralph doctor');
  const git = await opened.git(folder);
  try {
    const subject = await subjectOf({ root, git }, what);
    if (!subject.ok || subject.head.commit !== null) return subject;
    return failure("A receipt vouches for a commit, and this work isn't committed.", 'git commit');
  } finally {
    git.close();
  }
}

function stateOf({ commit, tree }: { readonly commit: string | null; readonly tree: string }) {
  return { gitCommit: commit ?? '', gitTree: tree };
}

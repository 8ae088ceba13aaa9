import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { gatesIn } from '../../../domain/command-runs.ts';
import {
  PAYLOAD_TYPE,
  RECEIPT_NAMESPACE,
  RECEIPT_NOTES,
  ReceiptPredicate,
  receiptOf,
} from '../../../domain/receipt.ts';
import type { IterationFacts } from '../../../domain/records/iteration.ts';
import type { Task } from '../../../domain/task.ts';
import type { Answer } from '../../../domain/verification.ts';
import { openPorcelain } from '../../../io/git/index.ts';
import { sha256 } from '../../../io/ids.ts';
import { signedBytes, writeEnvelope } from '../../../io/signing/envelope.ts';
import { keyFileOf, signBytes } from '../../../io/signing/ssh-signatures.ts';
import { replaceFile } from '../../../io/store/index.ts';
import { own } from '../../../lib/own.ts';
import { redactDeep } from '../../../lib/redact-deep.ts';
import { countMutants } from '../../../proof/shown/index.ts';
import { type Failure, failure } from '../../result.ts';
import { VERSION } from '../../version.ts';
import type { Project } from '../project.ts';
import { secretsOf } from '../secrets-of.ts';
import type { Subject } from './subject.ts';

/** A receipt that is asked for; neither `file` nor `note`: none is. */
export type ReceiptAsked = {
  /** Where it goes: a new file, relative to `cwd`. */
  readonly file: string | null;
  /** It goes into a note of the commit. */
  readonly note: boolean;
  /** As git's `user.signingKey` names a key; a file is relative to `cwd`. `null`: that one. */
  readonly key: string | null;
};

export const NO_RECEIPT: ReceiptAsked = { file: null, note: false, key: null };

export type ReceiptPlan = {
  readonly ok: true;
  readonly file: string | null;
  readonly note: boolean;
  readonly key: string;
  readonly commit: string;
};

/** What a receipt would need that is missing; `null`: none is asked for. */
export async function planReceipt(
  { file, note, key }: ReceiptAsked,
  cwd: string,
  root: string,
  { base, head: { commit } }: Subject,
): Promise<ReceiptPlan | Failure | null> {
  if (file === null && !note)
    return key === null
      ? null
      : failure('Nothing is to be signed.', 'ralph verify --receipt FILE --sign KEY');
  if (commit === null)
    return failure(
      "A receipt is of a commit, and this isn't committed. Commit it first, or name a range.",
      'ralph verify HEAD~1..HEAD --receipt FILE',
    );
  if (commit === base.commit) return failure('A receipt is of commits since another one, and there is none.');
  const path = file === null ? null : resolve(cwd, file);
  if (path !== null && existsSync(path)) return failure(`${file} is there already. Name a new file.`);
  if (path !== null && !existsSync(dirname(path))) return failure(`There is no folder ${dirname(path)}.`);
  const found = key === null ? await gitsKey(root) : isFile(cwd, key) ? resolve(cwd, key) : key;
  if (found === null)
    return failure(
      'A receipt is signed with an SSH key, and git has none for that.',
      'ralph verify --sign ~/.ssh/id_ed25519, or git config gpg.format ssh; git config user.signingKey ~/.ssh/id_ed25519.pub',
    );
  const secret = keyFileOf(found, key === null ? root : cwd);
  if (secret !== null && !existsSync(secret)) return failure(`There is no key ${secret}.`, 'ssh-add -L');
  return { ok: true, file: path, note, key: found, commit };
}

function isFile(cwd: string, key: string): boolean {
  return existsSync(resolve(cwd, key));
}

/** What git signs commits with, where that is an SSH key. */
async function gitsKey(root: string): Promise<string | null> {
  const ask = await openPorcelain(root);
  if ((await ask.setting('gpg.format')) !== 'ssh') return null;
  const key = await ask.setting('user.signingKey');
  if (key === null || !/^[~/.]/.test(key)) return key;
  return ask.setting('user.signingKey', 'path');
}

/** Work that was judged. */
type Judged = {
  readonly subject: Subject;
  /** What was asked for. */
  readonly task: Task;
  readonly answer: Answer;
  readonly grade: ReceiptPredicate['grade'];
  readonly gates: readonly Omit<ReceiptPredicate['gates'][number], 'run' | 'outputSha256'>[];
  /** `null`: it couldn't be judged. */
  readonly facts: IterationFacts | null;
};

/** Makes the receipt, signs it and puts it where it is to go; `outputs`: what its digests are of, by gate. */
export async function issueReceipt(
  project: Pick<Project, 'git' | 'root' | 'stateHome' | 'gates' | 'config' | 'clock'>,
  { file, note, key, commit }: ReceiptPlan,
  judged: Judged,
) {
  const { git, root, stateHome } = project;
  const tails = gatesIn({ commandRuns: judged.facts?.commandRuns ?? [] }).map(({ name, outputTail }) => [
    name,
    outputTail,
  ]);
  const outputs: Readonly<Record<string, string>> = Object.fromEntries(tails);
  const state = { gitCommit: commit, gitTree: judged.subject.head.tree };
  const payload = JSON.stringify(receiptOf(state, predicateOf(project, judged, outputs)));
  const bytes = signedBytes(PAYLOAD_TYPE, Buffer.from(payload));
  const signed = await signBytes(bytes, key, RECEIPT_NAMESPACE, { folder: stateHome, cwd: root });
  if (!signed.ok) return failure(`No receipt was made: ${signed.reason}.`);
  const text = writeEnvelope(PAYLOAD_TYPE, payload, signed.fingerprint, signed.signature);
  if (file !== null) replaceFile(file, text);
  if (note) await git.appendNote({ ref: RECEIPT_NOTES, commit, text });
  const receipt = { file, note: note ? RECEIPT_NOTES : null, key: signed.fingerprint, outputs };
  return { ok: true as const, receipt };
}

function predicateOf(
  { gates: specs, config, clock }: Pick<Project, 'gates' | 'config' | 'clock'>,
  { subject: { base }, task: { title, acceptance, checks }, answer, grade, gates, facts }: Judged,
  outputs: Readonly<Record<string, string>>,
): ReceiptPredicate {
  const secrets = secretsOf(config);
  const runOf = (gate: string) => redactDeep(specs.find(({ name }) => name === gate)?.run ?? '', secrets);
  // By the schema, so that nothing else comes into it.
  return ReceiptPredicate.parse({
    ...{ ralph: VERSION, issuedAt: clock.now(), base: { gitCommit: base.commit, gitTree: base.tree } },
    askedFor: redactDeep({ title, acceptance, checks }, secrets),
    ...{ verdict: answer.verdict, grade },
    gates: gates.map((gate) => {
      const output = own(outputs, gate.name);
      return { ...gate, run: runOf(gate.name), outputSha256: output === undefined ? null : sha256(output) };
    }),
    mutants: countMutants({ commandRuns: facts?.commandRuns ?? [], mutants: facts?.mutants ?? null }),
    findings: redactDeep(answer.remarks, secrets),
  });
}

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { own } from 'ralph-kit/own';
import { redactDeep } from 'ralph-kit/redact-deep';
import { shellQuote } from 'ralph-kit/shell-quote';
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
import { openPorcelain } from '../../../git/index.ts';
import { signedBytes, writeEnvelope } from '../../../io/signing/envelope.ts';
import { keyFileOf, signBytes } from '../../../io/signing/ssh-signatures.ts';
import { countMutants } from '../../../proof/shown/index.ts';
import { type Failure, failure } from '../../result.ts';
import { VERSION } from '../../version.ts';
import type { Project } from '../project.ts';
import { secretsOf } from '../secrets-of.ts';
import type { Subject } from './subject.ts';

/** The requested receipt. None is requested if neither `file` nor `note` is set. */
export type ReceiptOptions = {
  /** Path of a new file, relative to `cwd`; `null`: no file. */
  readonly file: string | null;
  readonly note: boolean;
  /** Key as in git's `user.signingKey`, with paths relative to `cwd`; `null`: git's own setting. */
  readonly key: string | null;
};

export const NO_RECEIPT: ReceiptOptions = { file: null, note: false, key: null };

export type ReceiptPlan = {
  readonly ok: true;
  readonly file: string | null;
  readonly note: boolean;
  readonly key: string;
  readonly commit: string;
};

/** Returns a plan for the receipt, or a failure if something is missing; `null`: no receipt is requested. */
export async function planReceipt(
  { file, note, key }: ReceiptOptions,
  cwd: string,
  root: string,
  { base, head: { commit } }: Subject,
): Promise<ReceiptPlan | Failure | null> {
  if (file === null && !note)
    return key === null
      ? null
      : failure('A key signs a receipt, and none was asked for.', 'ralph verify --receipt FILE --sign KEY');
  if (commit === null)
    return failure(
      "A receipt vouches for a commit, and this work isn't committed. Commit it first, or name a range.",
      'ralph verify HEAD~1..HEAD --receipt FILE',
    );
  if (commit === base.commit)
    return failure(
      'A receipt covers the commits since an earlier one, and there are none.',
      'ralph verify --help',
    );
  const path = file === null ? null : resolve(cwd, file);
  if (path !== null && existsSync(path))
    return failure(`${file} is there already.`, 'Name a new file with --receipt.');
  if (path !== null && !existsSync(dirname(path)))
    return failure(`There is no folder ${dirname(path)}.`, `mkdir -p ${shellQuote(dirname(path))}`);
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

/** Returns the key with which git signs commits, if it is an SSH key. */
async function gitsKey(root: string): Promise<string | null> {
  const ask = await openPorcelain(root);
  if ((await ask.setting('gpg.format')) !== 'ssh') return null;
  const key = await ask.setting('user.signingKey');
  if (key === null || !/^[~/.]/.test(key)) return key;
  return ask.setting('user.signingKey', 'path');
}

type Judged = {
  readonly subject: Subject;
  readonly task: Task;
  readonly answer: Answer;
  readonly grade: ReceiptPredicate['grade'];
  readonly gates: readonly Omit<ReceiptPredicate['gates'][number], 'run' | 'outputSha256'>[];
  /** Facts about the judged work; `null`: the work couldn't be judged. */
  readonly facts: IterationFacts | null;
};

type IssuingProject = Pick<Project, 'git' | 'root' | 'stateHome' | 'gates' | 'config' | 'clock'>;

export async function issueReceipt(
  project: IssuingProject,
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
  if (!signed.ok) return failure(`No receipt was made: ${signed.reason}.`, 'ssh-add -L');
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
  // Parsing removes every other field.
  return ReceiptPredicate.parse({
    ralph: VERSION,
    issuedAt: clock.now(),
    base: { gitCommit: base.commit, gitTree: base.tree },
    askedFor: redactDeep({ title, acceptance, checks }, secrets),
    verdict: answer.verdict,
    grade,
    gates: gates.map((gate) => {
      const output = own(outputs, gate.name);
      return { ...gate, run: runOf(gate.name), outputSha256: output === undefined ? null : sha256(output) };
    }),
    mutants: countMutants({ commandRuns: facts?.commandRuns ?? [], mutants: facts?.mutants ?? null }),
    findings: redactDeep(answer.remarks, secrets),
  });
}

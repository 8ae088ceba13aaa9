import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { readPlainFile } from 'ralph-kit/files/plain-file';
import { lateText, patience } from 'ralph-kit/programs/start/patience';
import { runShort } from 'ralph-kit/programs/start/start-program';
import { systemIds } from '../ids.ts';

/** Time for typing a passphrase, in milliseconds. */
const TYPING_MS = 120_000;
/** Time limit of a call that asks nothing, in milliseconds. */
const ANSWER_MS = 10_000;
/** Number of characters kept of a reason. */
const REASON_KEPT = 300;

/** Runs `work` in a private folder below `parent` that is removed afterwards. */
export async function inSigningFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(parent, `signing-${systemIds().random(12)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Asked =
  | { readonly ok: true; readonly stdout: string }
  /** One-line reason, and the whole error output. */
  | { readonly ok: false; readonly reason: string; readonly stderr: string };

/**
 * Runs a program of OpenSSH and returns its answer.
 * @param input `null` for none: writing to a program that reads nothing could wait forever.
 */
export async function askSsh(
  cwd: string,
  name: 'ssh-keygen' | 'ssh-add',
  args: readonly string[],
  input: string | Uint8Array | null,
  limitMs = ANSWER_MS,
): Promise<Asked> {
  const given = input === null ? { stdin: 'ignore' as const } : { input };
  const result = await runShort(name, args, { cwd, ...given, timeout: limitMs, reject: false });
  if (!result.failed) return { ok: true, stdout: result.stdout };
  if (result.timedOut) return { ok: false, reason: `${name} ${lateText(patience(limitMs))}`, stderr: '' };
  if (result.code === 'ENOENT') return { ok: false, reason: `${name} isn't installed`, stderr: '' };
  const stderr = (result.stderr ?? '').trim();
  const lastLine = stderr.split('\n').at(-1) ?? '';
  return { ok: false, reason: `${name} failed: ${lastLine.slice(0, REASON_KEPT)}`, stderr };
}

/** Signs with a key file or the public half of an agent's key; returns the armoured signature. */
export async function signMessage(
  cwd: string,
  folder: string,
  message: string | Uint8Array,
  { namespace, key }: { readonly namespace: string; readonly key: string },
): Promise<
  { readonly ok: true; readonly armored: string } | { readonly ok: false; readonly reason: string }
> {
  const file = join(folder, 'message');
  replaceFile(file, message, { mode: 0o600, durability: 'none' });
  const made = await askSsh(
    cwd,
    'ssh-keygen',
    ['-Y', 'sign', '-n', namespace, '-f', key, file],
    '',
    TYPING_MS,
  );
  if (!made.ok) return { ok: false, reason: made.reason };
  const signature = readPlainFile(`${file}.sig`);
  return signature.kind === 'file'
    ? { ok: true, armored: signature.bytes.toString('utf8') }
    : { ok: false, reason: 'ssh-keygen wrote no signature' };
}

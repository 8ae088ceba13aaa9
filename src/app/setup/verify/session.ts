import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { namesIn, plainText, readJson } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import { READ_PATCH_BYTES } from '../../../domain/change-set.ts';
import { openPorcelain } from '../../../git/index.ts';
import { PROJECT_FILE } from '../load-config.ts';
import type { Project } from '../project.ts';
import { homeOf } from '../state-home.ts';
import type { Subject } from './subject.ts';

const Session = z.object({
  /** Content of the repository at the start of the session, with uncommitted changes. */
  since: z.object({ commit: z.string(), tree: z.string() }),
  /** Settings at the start of the session, because the work may change them; `null`: there were none. */
  settings: z.nullable(z.string()),
  /** Number of times the agent was sent back since it was last allowed to stop. */
  asked: z.number(),
  /** Tree when the agent was last allowed to stop; `null`: it never was. */
  settled: z.nullable(z.string()),
  /** Whether gates took longer than the time limit. */
  isTooLong: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** Milliseconds without a message after which a session is over. */
const FORGOTTEN_MS = 7 * 24 * 3600 * 1000;

/** Returns the folder of sessions, which is outside of the repository and only yours to read. */
export function hooksFolderOf(commonDir: string): string {
  const home = homeOf(commonDir);
  home.prepare();
  return join(home.path, 'hooks');
}

/**
 * Returns the folder of one session.
 * @param id As reported by the agent.
 */
export function sessionFolder(hooks: string, agent: string, id: string): string {
  return join(hooks, `${agent}-${sha256(id).slice(0, 16)}`);
}

export function readSession(folder: string): Session | null {
  return readJson(join(folder, FILE), Session);
}

/** Saves a session. @throws The Node error if it can't be written. */
export function writeSession(folder: string, session: Session): void {
  replaceFile(join(folder, FILE), `${JSON.stringify(session)}\n`, { mode: 0o600, durability: 'content' });
}

const FILE = 'session.json';

export function forgetSessions(hooks: string, now: number): void {
  for (const name of namesIn(hooks)) {
    const changed = tryOr(now, () => statSync(join(hooks, name, FILE)).mtimeMs);
    if (now - changed > FORGOTTEN_MS) rmSync(join(hooks, name), { recursive: true, force: true });
  }
}

/** Starts a session. Returns `null` if there is no commit yet. */
export async function newSession({ git, root }: Project): Promise<Session | null> {
  const head = await (await openPorcelain(root)).head();
  if (head === null) return null;
  const { tree } = await git.snapshot();
  const settings = plainText(join(root, PROJECT_FILE));
  return { since: { commit: head, tree }, settings, asked: 0, settled: null, isTooLong: false };
}

/**
 * Returns the changes since the session's start, committed or not. If its commit is no longer on the branch, only
 * uncommitted changes.
 */
export async function sessionSubject({ git, root }: Project, { since }: Session): Promise<Subject | null> {
  const ask = await openPorcelain(root);
  const head = await ask.head();
  if (head === null) return null;
  const { tree } = await git.snapshot();
  const isOnBranch = (await ask.mergeBase(since.commit, head)) === since.commit;
  const base = isOnBranch ? since : { commit: head, tree: (await ask.treeOf(head)) ?? since.tree };
  const commits = base.commit === head ? [] : await git.commitsBetween(base.commit, head, READ_PATCH_BYTES);
  return { ok: true, what: 'this session', base, head: { commit: null, tree }, commits };
}

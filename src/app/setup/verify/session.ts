import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { READ_PATCH_BYTES } from '../../../domain/change-set.ts';
import { namesIn, plainText } from '../../../io/files/plain-file.ts';
import { openPorcelain } from '../../../io/git/index.ts';
import { sha256 } from '../../../io/ids.ts';
import { readJson, replaceFile } from '../../../io/store/index.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { PROJECT_FILE } from '../load-config.ts';
import type { Project } from '../project.ts';
import { homeOf } from '../state-home.ts';
import type { Subject } from './subject.ts';

/** What is known of a session of an agent that asks before it stops. */
const Session = z.object({
  /** What the repository held as it began, with what wasn't committed. */
  since: z.object({ commit: z.string(), tree: z.string() }),
  /** The repository's settings as they were then, as the work may change them; `null`: there were none. */
  settings: z.nullable(z.string()),
  /** How often the agent was sent back since it was last let go. */
  asked: z.number(),
  /** The tree with which it was last let go; `null`: it wasn't yet. */
  settled: z.nullable(z.string()),
  /** Its gates take longer than there is time. */
  isTooLong: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** A session that nothing was heard of for so long is over; in milliseconds. */
const FORGOTTEN_MS = 7 * 24 * 3600 * 1000;

/** Where sessions of agents are kept: outside of the repository, for you alone. */
export function hooksFolderOf(commonDir: string): string {
  const home = homeOf(commonDir);
  home.prepare();
  return join(home.path, 'hooks');
}

/** The folder of one session. @param id As the agent gave it. */
export function sessionFolder(hooks: string, agent: string, id: string): string {
  return join(hooks, `${agent}-${sha256(id).slice(0, 16)}`);
}

export function readSession(folder: string): Session | null {
  return readJson(join(folder, FILE), Session);
}

/** @throws The Node error when it can't be written. */
export function writeSession(folder: string, session: Session): void {
  replaceFile(join(folder, FILE), `${JSON.stringify(session)}\n`, { mode: 0o600, durability: 'content' });
}

const FILE = 'session.json';

/** Removes what is kept of sessions that are over. */
export function forgetSessions(hooks: string, now: number): void {
  for (const name of namesIn(hooks)) {
    const changed = tryOr(now, () => statSync(join(hooks, name, FILE)).mtimeMs);
    if (now - changed > FORGOTTEN_MS) rmSync(join(hooks, name), { recursive: true, force: true });
  }
}

/** A session that begins here; `null`: there is no commit yet. */
export async function newSession({ git, root }: Project): Promise<Session | null> {
  const head = await (await openPorcelain(root)).head();
  if (head === null) return null;
  const { tree } = await git.snapshot();
  const settings = plainText(join(root, PROJECT_FILE));
  return { since: { commit: head, tree }, settings, asked: 0, settled: null, isTooLong: false };
}

/** What changed since a session began, committed or not; where its commit is gone from the branch, what isn't committed. */
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

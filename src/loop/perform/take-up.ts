import { isLock } from 'ralph-ecosystems';
import { inlineCode } from 'ralph-kit/markdown';
import { pathText } from 'ralph-kit/text';
import { pathsOf, type SetAside, type Snapshot } from '../../domain/change-set.ts';
import type { FeedbackEntry } from '../../domain/feedback.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { LOCK_BYTES, type Tested, testedBase } from '../../lab/index.ts';
import type { LoopContext } from '../context.ts';
import { lockAnew } from '../proof/lock-anew.ts';

/** Maximum number of characters of a patch in a prompt. */
const PATCH_SHOWN = 20_000;

type Place = Pick<LoopContext, 'ports' | 'workplace'>;

type Taken =
  /**
   * `tree`: content with which the copy starts, `null`: no kept work; `record`: function to call once the copy has it.
   */
  | {
      readonly kind: 'ok';
      readonly tree: string | null;
      readonly record: (before: Snapshot) => Promise<void>;
    }
  /** The kept work was changed after it was kept. */
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Returns the task's kept work for its next series. If it doesn't apply to the verified tree, the agent gets it as a
 * patch in the prompt.
 * @param folder Absolute path for output
 */
export async function workToTakeUp(
  context: LoopContext,
  taskId: string,
  { base: verified, folder }: Pick<Tested, 'base' | 'folder'>,
): Promise<Taken> {
  const { ports, workplace } = context;
  const { store, git, ids, clock } = ports;
  const onto = verified.tree;
  const { setAside, takesUp } = taskStateOf(store.state, taskId);
  if (setAside === null || !takesUp) return { kind: 'ok', tree: null, record: async () => undefined };
  const { checkpoint } = setAside;
  const whole = await git.wholePatch(setAside.base, setAside.tree);
  if (ids.sha256(whole) !== setAside.sha256) {
    const message = `The kept work of ${taskId} isn't what it was (sha256 ${setAside.sha256}): an approval of it counts for nothing. Begin without it: ralph unblock ${taskId} --fresh`;
    return { kind: 'failed', message };
  }
  const withLocks = await withoutLostGates({ ports, workplace }, setAside);
  const locks = await contestedLocks(context, setAside, onto);
  const kept =
    locks.length === 0
      ? withLocks
      : await git.compose({ base: withLocks, from: setAside.base, paths: locks });
  const patch = kept === setAside.tree ? whole : await git.wholePatch(setAside.base, kept);
  const target = await git.applyToTree(onto, patch);
  const applied = target !== null;
  const locked =
    applied && locks.length > 0
      ? await lockAnew(context, { ...testedBase(verified, folder), tree: target }, locks)
      : null;
  const feedback = [
    ...(applied ? [] : [shown(setAside, taskId, clock.now(), patch.toString('utf8'))]),
    ...(locked?.kind === 'failed' ? [outdated(locked, taskId, clock.now())] : []),
  ];
  return {
    kind: 'ok',
    tree: locked?.kind === 'made' ? locked.tree : target,
    record: async (before) => {
      const { head, branch, tree: leftTree } = before;
      // Snapshots don't contain ralph's own files, so the recorded tree is made from a snapshot.
      const from = applied
        ? await git.compose({ base: leftTree, from: onto, paths: setAside.paths })
        : leftTree;
      const paths = applied ? pathsOf(await ports.work.git.diff({ ...before, tree: from }, before)) : [];
      const place = { ...workplace, taskId, checkpoint, tree: from, head, branch, paths, leftTree };
      store.commit(() => [
        { type: 'work_taken_up', ...place, applied },
        ...feedback.map((entry) => ({ type: 'feedback_added' as const, entry })),
      ]);
    },
  };
}

/** Returns lock files that both the work and later verified commits changed. */
async function contestedLocks(
  { ports: { git } }: LoopContext,
  { base, tree, paths }: SetAside,
  onto: string,
): Promise<string[]> {
  const locks = paths.filter(isLock);
  if (locks.length === 0) return [];
  const textsOf = async (of: string) =>
    new Map(
      (await git.texts(of, (path) => locks.includes(path), LOCK_BYTES)).map((one) => [one.path, one.text]),
    );
  const [before, work, now] = [await textsOf(base), await textsOf(tree), await textsOf(onto)];
  return locks.filter((path) => {
    const [old, own, line] = [before.get(path), work.get(path), now.get(path)];
    return own !== undefined && line !== undefined && own !== old && line !== old && own !== line;
  });
}

/**
 * Returns the kept work with deleted files of gates restored: the agent's deletion of such a file isn't carried over.
 */
async function withoutLostGates(
  { ports: { git, store } }: Place,
  { base, tree, paths }: SetAside,
): Promise<string> {
  const sources = Object.values(store.state.baseline?.sources ?? {}).flat();
  const run = new Set(sources.map(({ path }) => path));
  const facts = await git.fileFacts(
    { tree, head: null, branch: null },
    paths.filter((path) => run.has(path)),
  );
  const lost = facts.filter(({ exists }) => !exists).map(({ path }) => path);
  return lost.length === 0 ? tree : git.compose({ base: tree, from: base, paths: lost });
}

function outdated(
  { path, reason }: { readonly path: string; readonly reason: string },
  taskId: string,
  at: string,
): FeedbackEntry {
  const text = `${inlineCode(pathText(path))} is as others changed it, without what your work needs of it, and couldn't be made anew: ${reason}. Bring it up to date with its tool.`;
  return { at, taskId, iteration: null, kind: 'guidance', source: 'suggestion', text };
}

function shown({ paths }: SetAside, taskId: string, at: string, patch: string): FeedbackEntry {
  const cut = patch.length > PATCH_SHOWN;
  const fence = patch.includes('```') ? '~~~~' : '```';
  const text = [
    `**Your earlier work on this task** (${paths.join(', ')}) was taken out of the tree and doesn't apply to it any more. Use what is good of it:`,
    `${fence}diff\n${patch.slice(0, PATCH_SHOWN)}\n${fence}`,
    ...(cut ? ['The rest is cut.'] : []),
  ].join('\n\n');
  return { at, taskId, iteration: null, kind: 'guidance', source: 'suggestion', text };
}

import { appendFileSync, copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { configText, lastValue, type Setting, settingsForAgents } from 'ralph-kit/formats/git-config';
import type { WorkBase } from '../../domain/ports/work.ts';
import { copyIndex } from '../call/git.ts';
import { settingsOf } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { refsBelow } from '../objects/questions.ts';

/** Comparison settings for a copy, whose files have the checkout's content with other inodes. */
export const OF_COPY = [
  { key: 'core.bare', value: 'false' },
  { key: 'core.checkStat', value: 'minimal' },
  { key: 'core.trustctime', value: 'false' },
];
type AgentGit = {
  readonly folder: string;
  readonly index: string;
  readonly objects: string;
  readonly base: Pick<WorkBase, 'commit' | 'branch'> | null;
};

const REFS = ['refs/heads/', 'refs/tags/', 'refs/remotes/', 'refs/notes/'];

/**
 * Makes a copy's git folder with the repository's branches, tags, hooks, ignore rules, settings without credentials,
 * and the copy's index. The agent may write it; git outside the box never uses it.
 * @param copy `objects`: path of the repository's objects as seen in the copy; `base`: the branch's commit when it
 * differs from the repository's.
 */
export async function makeAgentGit(
  tree: WorkTree,
  { folder, index, objects, base }: AgentGit,
): Promise<void> {
  const { gitDir, commonDir } = tree;
  removeTree(folder);
  for (const name of ['objects/info', 'refs/heads', 'refs/tags', 'info', 'hooks'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'objects/info/alternates'), `${objects}\n`);
  copyFileSync(join(gitDir, 'HEAD'), join(folder, 'HEAD'));
  const refs = [...(await refsBelow(tree, REFS))].map(([name, id]) => `${id} ${name}\n`);
  writeFileSync(join(folder, 'packed-refs'), refs.join(''));
  if (base !== null) writeHead(folder, base);
  writeFileSync(join(folder, 'config'), configText(await agentSettings(tree)), 'latin1');
  for (const name of ['info', 'hooks', 'shallow']) {
    const from = join(commonDir, name);
    if (existsSync(from)) cpSync(from, join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  // Rules for all your repositories, and for links that stand for folders.
  const rules =
    tree.view === null ? '' : readFileBytes(join(tree.view.folder, 'excludes')).toString('latin1');
  appendFileSync(join(folder, 'info/exclude'), `\n${rules}\n`, 'latin1');
  const sparse = join(gitDir, 'info', 'sparse-checkout');
  if (existsSync(sparse)) copyFileSync(sparse, join(folder, 'info', 'sparse-checkout'));
  copyIndex(index, join(folder, 'index'));
}

export function writeHead(folder: string, { commit, branch }: Pick<WorkBase, 'commit' | 'branch'>): void {
  const head = branch === null ? 'HEAD' : `refs/heads/${branch}`;
  mkdirSync(dirname(join(folder, head)), { recursive: true });
  writeFileSync(join(folder, head), `${commit}\n`);
  if (branch !== null) writeFileSync(join(folder, 'HEAD'), `ref: ${head}\n`);
}

async function agentSettings(tree: WorkTree): Promise<Omit<Setting, 'scope'>[]> {
  const all = await settingsOf(tree);
  const format = lastValue(all, 'core.repositoryformatversion') ?? '0';
  return [{ key: 'core.repositoryformatversion', value: format }, ...settingsForAgents(all), ...OF_COPY];
}

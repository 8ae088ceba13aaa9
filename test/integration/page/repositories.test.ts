import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recentWorkTrees } from '../../../src/app/commands/page/repositories.ts';
import { inWorkspace } from '../../../src/app/setup/workspace.ts';
import { makeRepository, temporaryFolder } from '../../helpers/repository.ts';

const NOW = new Date('2030-01-31T06:00:00.000Z');

/** Returns a repository that ralph knows, with folders of these runs. */
async function known(...runs: string[]): Promise<string> {
  const { root } = makeRepository({ '.ralph/PRD.md': '# Tasks\n\n- [ ] **T-1** One\n' });
  await knownAt(root, runs);
  return root;
}

async function knownAt(root: string, runs: readonly string[]): Promise<void> {
  const made = await inWorkspace({ cwd: root }, ({ prepareHome }) => {
    prepareHome();
    return { ok: true as const };
  });
  expect(made.ok).toBe(true);
  for (const run of runs) mkdirSync(join(root, '.ralph', 'runs', run), { recursive: true });
}

it('finds work trees with a run in the last 30 days, linked ones among them', async () => {
  const now = await known('r-20300131-050000-aaaa', 'r-20200101-000000-bbbb');
  const month = await known('r-20300101-000000-cccc');
  await known('r-20291231-235959-dddd');
  await known();
  const one = makeRepository({ '.ralph/PRD.md': '# Tasks\n\n- [ ] **T-1** One\n' });
  const linked = join(temporaryFolder(), 'linked');
  one.git('worktree', 'add', '-q', linked);
  await knownAt(linked, ['r-20300130-000000-eeee']);
  expect(recentWorkTrees(NOW).toSorted()).toEqual([now, month, linked].toSorted());
});

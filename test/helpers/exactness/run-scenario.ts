import { existsSync, readFileSync } from 'node:fs';
import { openTestGit } from '../open-test-git.ts';
import { coldTree, makeRepository } from '../repository.ts';
import { type Age, AT_ONCE } from '../snapshot-rounds.ts';
import { type Scenario, START } from './scenario.ts';

/**
 * Plays a scenario between two snapshots, and compares them with the truth known from its construction and with a hash
 * of the work tree from nothing. Returns what is wrong; empty: nothing is.
 * @param age Waits before and after the changes. Git reads all files again that are as young as its index: only an
 * older tree shows what git assumes without reading.
 */
export async function runScenario(scenario: Scenario, age: Age = AT_ONCE): Promise<string[]> {
  const wrong: string[] = [];
  const same = (what: string, seen: unknown, truth: unknown) => {
    const [one, other] = [JSON.stringify(seen), JSON.stringify(truth)];
    if (one !== other) wrong.push(`${what}: ${one} instead of ${other}`);
  };
  const origin = makeRepository(scenario.files === undefined ? START : scenario.files);
  scenario.before?.(origin);
  const repo = scenario.place?.(origin) ?? origin;
  const git = await openTestGit(repo.root);

  const before = await git.snapshot();
  // The loop makes a checkpoint beside every attempt, so that git keeps its objects.
  await git.checkpoint('r', 1, before);
  if (scenario.checkFirst) same('first tree', before.tree, coldTree(repo.root));
  await age();
  scenario.act(repo);
  await age();
  const indexFile = repo.git('rev-parse', '--absolute-git-dir').concat('/index');
  const indexNow = () => (existsSync(indexFile) ? readFileSync(indexFile).toString('base64') : null);
  const index = indexNow();
  const after = await git.snapshot();
  const { changes, commits } = await git.diff(before, after);

  const seen = changes.map(({ kind, path }) => `${kind} ${path}`).sort();
  if ('added' in scenario.changes) {
    same('added', seen.filter((change) => change.startsWith('added ')).length, scenario.changes.added);
    same('changes', seen.length, scenario.changes.added);
  } else same('changes', seen, [...scenario.changes].sort());
  same('commits', commits.length, scenario.commits ?? 0);
  same('tree when nothing happened since', (await git.snapshot()).tree, after.tree);
  if (!scenario.coldDiffers) same('tree beside a cold re-hash', after.tree, coldTree(repo.root));
  if (indexNow() !== index) wrong.push("the user's index was written");
  return wrong;
}

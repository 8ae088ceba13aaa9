import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { doorOf, withObjects } from '../../../../src/git/objects/door.ts';
import { locate } from '../../../../src/git/repository/locate.ts';
import { pinView } from '../../../../src/git/view/pin-view.ts';
import { makeRepository, temporaryFolder } from '../../../helpers/repository.ts';

async function site() {
  const repo = makeRepository();
  const located = await locate(repo.root);
  if (!located.ok) throw new Error(located.message);
  const tree = await pinView(located.tree, temporaryFolder(), true);
  const head = repo.git('rev-parse', 'HEAD');
  const root = repo.git('rev-parse', 'HEAD^{tree}');
  const commit = { tree: root, parents: [head], author: WHO, committer: WHO, message: 'next' };
  return { repo, tree, head, root, commit };
}

const WHO = 'A U Thor <author@example.com> 1700000000 +0130';

it('an object that vanished is looked for once more with nothing that was read before', async () => {
  const { repo, tree, head, commit } = await site();
  const file = repo.object(head);
  const first = await doorOf(tree);
  const attempts: unknown[] = [];
  const made = await withObjects(tree, async (objects) => {
    attempts.push((await objects.commit(head))?.id);
    // The file was read before, and is missing for the first try alone.
    if (attempts.length === 1) renameSync(file, `${file}.away`);
    else renameSync(`${file}.away`, file);
    return objects.writeCommit(commit);
  });
  expect(attempts).toHaveLength(2);
  expect(repo.git('rev-parse', `${made}^`)).toBe(head);
  expect(await doorOf(tree)).not.toBe(first);
});

it('one that stays away is named, and nothing is written that would name it', async () => {
  const { repo, tree, root, commit } = await site();
  const before = repo.git('count-objects', '-v');
  const away = await withObjects(tree, async (objects) => {
    await objects.entries(root);
    return repo.object('HEAD^{tree}');
  });
  let tries = 0;
  const written = withObjects(tree, async (objects) => {
    tries += 1;
    if (tries === 1) renameSync(away, `${away}.away`);
    return objects.writeCommit(commit);
  });
  await expect(written).rejects.toThrow(`the object ${root} isn't there any more`);
  expect(tries).toBe(2);
  renameSync(`${away}.away`, away);
  expect(repo.git('count-objects', '-v')).toBe(before);
});

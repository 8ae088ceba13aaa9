import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { gitCall } from '../../../../src/git/call/environment.ts';
import { openCatFile } from '../../../../src/git/objects/cat-file.ts';
import { testTree } from '../../../helpers/objects/open-test-objects.ts';
import { makeRepository } from '../../../helpers/repository.ts';

function start(limitMs = 60_000) {
  const repository = makeRepository({
    'a.txt': 'hello\n',
    'big.bin': Buffer.alloc(5_000_000, 'x'),
    empty: '',
  });
  const tree = testTree(repository.root);
  return { repository, git: openCatFile(() => ({ ...gitCall({ kind: 'objects', tree }), limitMs })) };
}

/** The git that this process has started in the folder; one of an earlier test may still be ending elsewhere. */
function childIn(folder: string): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = children.find((pid) => {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return false;
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
      return words.includes('--batch-command') && Number(parent) === process.pid;
    } catch {
      return false;
    }
  });
  return Number(found);
}

it('answers many questions in their order, of any size', async () => {
  const { repository, git } = start();
  const names = Array.from(
    { length: 50 },
    (_, at) => ['HEAD:a.txt', 'HEAD:big.bin', 'HEAD:empty', 'HEAD:none'][at % 4],
  );
  const answers = await Promise.all(names.map((name) => git.contents(name as string)));
  expect(answers.map((one) => one?.content.length ?? null)).toEqual(
    names.map((_, at) => [6, 5_000_000, 0, null][at % 4]),
  );
  expect(await git.info('HEAD')).toMatchObject({ id: repository.git('rev-parse', 'HEAD'), kind: 'commit' });
  expect(await git.info('HEAD:a file')).toBeNull();
  await expect(git.info('HEAD\nHEAD')).rejects.toThrow('line end');
  git.end();
});

it('starts again after git was killed, between two questions and in the middle of one', async () => {
  const { git, repository } = start();
  expect(await git.info('HEAD:a.txt')).toMatchObject({ size: 6 });
  const first = childIn(repository.root);
  process.kill(first, 'SIGKILL');
  expect(await git.info('HEAD:a.txt')).toMatchObject({ size: 6 });
  const second = childIn(repository.root);
  expect(second).not.toBe(first);
  process.kill(second, 'SIGSTOP');
  const asked = git.contents('HEAD:big.bin');
  process.kill(second, 'SIGKILL');
  expect((await asked)?.content.length).toBe(5_000_000);
  git.end();
});

it("is stopped when it doesn't answer in time, and asked again by the next question", async () => {
  // On a busy machine, git takes more than a second to start.
  const { git, repository } = start(3000);
  expect(await git.info('HEAD:a.txt')).toMatchObject({ size: 6 });
  process.kill(childIn(repository.root), 'SIGSTOP');
  await expect(git.info('HEAD:a.txt')).rejects.toThrow("didn't answer within");
  expect(await git.info('HEAD:a.txt')).toMatchObject({ size: 6 });
  git.end();
});

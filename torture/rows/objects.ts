import { treeRounds } from '../../test/helpers/objects/tree-rounds.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

/**
 * Trees that are made in one repository before the next seed begins with a new one; each fourth repository has ids of
 * SHA-256.
 */
const ROUNDS_PER_SEED = 50;

export const objects: Row = {
  id: 'objects',
  what: "git's trees, differences and indexes in process, against git's own, random edits",
  target: '0 differences',
  run: async ({ size, progress, random }) => {
    const rounds = size(10_000, ROUNDS_PER_SEED);
    const failures: string[] = [];
    for (let done = 0, at = 0; done < rounds; done += ROUNDS_PER_SEED, at += 1) {
      progress(done, rounds, `${failures.length} differences`);
      const format = at % 4 === 3 ? 'sha256' : 'sha1';
      const seed = Math.floor(random() * 2 ** 31);
      failures.push(...(await treeRounds(seed, Math.min(ROUNDS_PER_SEED, rounds - done), format)));
      removeTemporaryFolders();
    }
    return measured(rounds, `${failures.length} differences`, failures);
  },
};

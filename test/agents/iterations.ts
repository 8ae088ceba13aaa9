import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IterationRecord } from '../../src/domain/records/iteration.ts';

/** Folders of the iterations of all runs, in order. */
export function iterationFolders(root: string): readonly string[] {
  const runs = join(root, '.ralph', 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .map((name) => join(runs, name, 'iterations'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((folder) => existsSync(join(folder, 'iteration.json')))
    .toSorted((one, other) => (one.slice(-4) < other.slice(-4) ? -1 : 1));
}

/** Their records. */
export function iterationsOf(root: string): readonly IterationRecord[] {
  return iterationFolders(root).map((folder) =>
    IterationRecord.parse(JSON.parse(readFileSync(join(folder, 'iteration.json'), 'utf8'))),
  );
}

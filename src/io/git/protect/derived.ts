import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../names-in.ts';
import { fileMark } from './file-mark.ts';

/** What git makes of objects to read them faster, and believes: the index over several packs, the commit graph. */
const DERIVED: readonly (readonly [folder: string, RegExp])[] = [
  ['pack', /^multi-pack-index/],
  ['info', /^commit-graph$/],
  ['info/commit-graphs', /^/],
];

/** The files that git makes of objects. */
export type DerivedFiles = {
  /** Takes those that are there as they are. */
  readonly note: () => void;
  /** Removes those that changed since: git makes them again. @throws The Node error */
  readonly clear: () => void;
};

/** @param objects Git's folder of objects. */
export function derivedFiles(objects: string): DerivedFiles {
  let noted: ReadonlyMap<string, string | null> = new Map();
  const now = () => new Map(pathsIn(objects).map((path) => [path, fileMark(path)]));
  return {
    note: () => {
      noted = now();
    },
    clear: () => {
      for (const [path, mark] of now())
        if (mark === null || noted.get(path) !== mark) rmSync(path, { recursive: true });
    },
  };
}

function pathsIn(objects: string): string[] {
  return DERIVED.flatMap(([folder, pattern]) =>
    namesIn(join(objects, folder))
      .filter((name) => pattern.test(name))
      .map((name) => join(objects, folder, name)),
  );
}

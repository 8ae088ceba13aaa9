import { homedir } from 'node:os';
import { LONGEST_SCRIPT, type RunPlace } from 'ralph-actions/forms/place';
import { namesIn } from 'ralph-kit/files/plain-file';
import { bornAt, realPathOf, textIfChangedSince } from 'ralph-kit/files/real-path';

/** Returns the repository in which the benchmark runs: questions to the disk are a part of each review. */
export function machinePlace(): RunPlace {
  return {
    root: realPathOf(process.cwd()),
    home: realPathOf(homedir()),
    protectedFolders: [],
    restricted: null,
    realPath: realPathOf,
    tmpdir: { path: '/tmp', own: false },
    bornAt,
    textSince: (path, since) => textIfChangedSince(path, since, LONGEST_SCRIPT + 1),
    entries: namesIn,
  };
}

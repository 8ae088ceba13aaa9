import { homedir } from 'node:os';
import { LONGEST_SCRIPT, type RunPlace } from 'ralph-kit/actions/review';
import { namesIn } from '../../src/io/files/plain-file.ts';
import { bornAt, realPathOf, textSince } from '../../src/io/files/real-path.ts';

/** The repository that a row is run in: what an action asks of the disk is a part of its review. */
export function machinePlace(): RunPlace {
  return {
    root: realPathOf(process.cwd()),
    home: realPathOf(homedir()),
    protectedFolders: [],
    restricted: null,
    realPath: realPathOf,
    tmpdir: { path: '/tmp', own: false },
    bornAt,
    textSince: (path, since) => textSince(path, since, LONGEST_SCRIPT + 1),
    entries: namesIn,
  };
}

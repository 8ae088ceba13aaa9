import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { tryOr } from 'ralph-kit/try-or';
import {
  copiesIn,
  landedIn,
  makeWorkersProject,
  redCommits,
  WORKERS,
  workProblems,
} from '../../test/helpers/crash/workers-project.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

/** Maximum number of copies: one for each worker, one for the line, and one for each gate that runs at once. */
const MOST_COPIES = WORKERS + 1 + WORKERS;
const ASKED_EVERY_MS = 100;
/**
 * Trees of copies, and their folders, that stay as objects until `git gc` removes them after two weeks. Measured: 3 to
 * 6 for each task.
 */
const LEFT_A_TASK = 8;

export const workersMany: Row = {
  id: 'workers-many',
  what: 'a whole run of four workers, with dependencies, conflicts and a gate that fails one time in ten',
  target: `every task lands once, never more than ${MOST_COPIES} copies, at most ${LEFT_A_TASK} small objects a task that no ref names`,
  run: async ({ size, progress, root }) => {
    const wanted = size(200, 8);
    const project = makeWorkersProject(wanted);
    const { git, ...repository } = project.repository;
    const home = temporaryFolder();
    const env = { ...process.env, RALPH_TRUST: '1', XDG_STATE_HOME: home };
    const child = spawn(process.execPath, [join(root, 'bin', 'ralph.js'), 'run', '--quiet'], {
      ...{ cwd: repository.root, env, stdio: ['ignore', 'ignore', 'pipe'] as const },
    });
    const printed: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
    let most = 0;
    const timer = setInterval(() => {
      // Copies appear and disappear while they are counted, so errors are ignored.
      most = Math.max(
        most,
        tryOr(0, () => copiesIn(home).length),
      );
      progress(landedIn(project.repository).length, wanted, `${most} copies at most`);
    }, ASKED_EVERY_MS);
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    clearInterval(timer);
    const left = tryOr(0, () => copiesIn(home).length);
    const landed = landedIn(project.repository);
    const unreachable = git('fsck', '--unreachable', '--no-reflogs', '--no-progress')
      .split('\n')
      .filter(Boolean);
    const refs = git('for-each-ref', '--format=%(refname)').split('\n').filter(Boolean);
    const failures = [
      ...(code === 0 ? [] : [`it ended with ${code}: ${printed.join('').slice(-300)}`]),
      ...(landed.length === wanted ? [] : [`${landed.length} of ${wanted} tasks landed`]),
      ...(new Set(landed).size === landed.length ? [] : ['a task landed twice']),
      ...redCommits(project).map((commit) => `${commit} is red`),
      ...workProblems(project),
      ...(most > MOST_COPIES ? [`${most} copies at once`] : []),
      ...(unreachable.length > LEFT_A_TASK * wanted
        ? [`${unreachable.length} objects that no ref names: ${unreachable.slice(0, 3).join('; ')}`]
        : []),
    ];
    removeTemporaryFolders();
    const result = `${most} copies at most, ${left} in the end, ${unreachable.length} objects that no ref names, ${refs.length} refs, ${failures.length} findings`;
    return measured(wanted, result, failures);
  },
};

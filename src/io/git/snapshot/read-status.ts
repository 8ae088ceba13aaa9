import { objectGit } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { isOwn } from '../repository/work-tree.ts';
import { parsePaths, parseStatus, type Status } from './parse-status.ts';
import type { Site } from './site.ts';

/**
 * Compares the work tree with the private index.
 *
 * @param listIgnores Files with the ignore rules to use when `info/exclude` was edited; `null`: git's own will do.
 * @param cached False when a repository was entered just now: git's cache of untracked files doesn't know.
 */
export async function readStatus(
  site: Site,
  listIgnores: readonly string[] | null,
  cached: boolean,
): Promise<Status> {
  const { git } = site;
  const config = ['-c', `status.showUntrackedFiles=${listIgnores === null ? 'all' : 'no'}`];
  if (!cached) config.push('-c', 'core.untrackedCache=false');
  const options = ['--porcelain=v2', '-z', '--branch', '--no-ahead-behind', '--ignore-submodules=all'];
  const status = parseStatus((await git([...config, 'status', ...options])).stdout);
  const wanted = await includedFiles(site);
  if (listIgnores === null) return { ...status, untracked: [...status.untracked, ...wanted] };
  const rules = listIgnores.map((file) => `--exclude-from=${file}`);
  const others = ['ls-files', '-z', '-o', '--exclude-per-directory=.gitignore', ...rules];
  const paths = parsePaths((await git(others)).stdout);
  return {
    ...status,
    untracked: [...paths.filter((path) => !path.endsWith('/')), ...wanted],
    repositories: paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1) as BytePath),
  };
}

/** Ignored files that the settings want, beside those that the private index has already. */
async function includedFiles({ tree, settings, files }: Site): Promise<BytePath[]> {
  if (settings.includeIgnored.length === 0) return [];
  const patterns = settings.includeIgnored.map((pattern) => `:(top,glob)${pattern}`);
  const listed = await objectGit(
    tree,
    ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--', ...patterns],
    {
      env: { GIT_INDEX_FILE: files.index, GIT_LITERAL_PATHSPECS: '0' },
    },
  );
  return parsePaths(listed.stdout).filter((path) => !path.endsWith('/') && !isOwn(tree, path));
}

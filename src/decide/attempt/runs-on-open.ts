import { ADAPTERS } from 'ralph-agents';
import { packageScripts } from 'ralph-kit/formats/package-scripts';
import { type Change, GITLINK } from '../../domain/change-set.ts';

/** Paths of files that editors, shells, git and agents run without being asked. */
const STARTED = [
  /(?:^|\/)\.vscode\/(?:tasks|launch|settings|mcp)\.json$/,
  /\.code-workspace$/,
  /(?:^|\/)(?:\.idea\/(?:runConfigurations\/.*|startup\.xml|workspace\.xml)|\.run\/.*\.run\.xml)$/s,
  /(?:^|\/)(?:\.zed\/(?:tasks|settings)\.json|\.exrc|\.nvimrc|\.nvim\.lua|\.dir-locals\.el)$/,
  /(?:^|\/)\.devcontainer(?:\/.*|\.json)$/s,
  /(?:^|\/)\.envrc$/,
  /(?:^|\/)(?:\.husky|\.githooks|\.git-hooks|githooks|git-hooks)\//,
  /(?:^|\/)(?:applypatch-msg|commit-msg|post-(?:applypatch|checkout|commit|merge|rewrite)|pre-(?:applypatch|auto-gc|commit|merge-commit|push|rebase)|prepare-commit-msg)$/,
  /(?:^|\/)(?:\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.pre-commit-config\.yaml)$/,
  // Tool servers and hooks of agents, beside those that ralph starts.
  /(?:^|\/)(?:\.mcp\.json|\.cursor\/(?:mcp|hooks)\.json)$/,
  ...Object.values(ADAPTERS).map(({ runsOnOpen: pattern }) => pattern),
];

/** Scripts of a package.json that package managers start at an installation, or in a checkout. */
const LIFECYCLE = /^(?:(?:pre|post)?(?:install|prepare)|dependencies|prepublish|pnpm:devPreinstall)$/;

export function isManifest(path: string): boolean {
  return /(?:^|\/)package\.json$/.test(path);
}

type Texts = ReadonlyMap<string, string>;

/**
 * Returns changed paths that run something when you open the repository, install its packages or use git in it.
 * @param before Contents of changed manifests by path before the change; `after`: after it.
 */
export function runsOnOpen(
  changes: readonly Change[],
  { before, after }: { readonly before: Texts; readonly after: Texts },
): string[] {
  const there = changes.filter(({ kind }) => kind !== 'deleted');
  const paths = new Set(there.map(({ path }) => path));
  return there
    .filter(({ path, oldPath, oldMode, newMode }) => {
      if (newMode === GITLINK) return oldMode !== GITLINK;
      if (isManifest(path)) return hasNewScript(before.get(oldPath ?? path) ?? '', after.get(path) ?? '');
      return STARTED.some((pattern) => pattern.test(path)) || isBareRepository(path, paths);
    })
    .map(({ path }) => path);
}

function hasNewScript(before: string, after: string): boolean {
  const old = packageScripts(before);
  return [...packageScripts(after)].some(
    ([name, script]) => LIFECYCLE.test(name) && old.get(name) !== script,
  );
}

/** git treats a folder with `HEAD` and `config` as a repository, and obeys its settings. */
function isBareRepository(path: string, paths: ReadonlySet<string>): boolean {
  const folder = /^(.*\/)?HEAD$/s.exec(path);
  return folder !== null && paths.has(`${folder[1] ?? ''}config`);
}

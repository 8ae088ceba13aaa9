import { type Change, GITLINK } from '../../domain/change-set.ts';
import { packageScripts } from '../../lib/formats/package-scripts.ts';

/** What editors, shells, git and agents start without being asked for it, by its path in the repository. */
const STARTED = [
  // Editors.
  /(?:^|\/)\.vscode\/(?:tasks|launch|settings|mcp)\.json$/,
  /\.code-workspace$/,
  /(?:^|\/)(?:\.idea\/(?:runConfigurations\/.*|startup\.xml|workspace\.xml)|\.run\/.*\.run\.xml)$/,
  /(?:^|\/)(?:\.zed\/(?:tasks|settings)\.json|\.exrc|\.nvimrc|\.nvim\.lua|\.dir-locals\.el)$/,
  /(?:^|\/)\.devcontainer(?:\/.*|\.json)$/,
  // Shells.
  /(?:^|\/)\.envrc$/,
  // git.
  /(?:^|\/)(?:\.husky|\.githooks|\.git-hooks|githooks|git-hooks)\//,
  /(?:^|\/)(?:applypatch-msg|commit-msg|post-(?:applypatch|checkout|commit|merge|rewrite)|pre-(?:applypatch|auto-gc|commit|merge-commit|push|rebase)|prepare-commit-msg)$/,
  /(?:^|\/)(?:\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.pre-commit-config\.yaml)$/,
  // Agents, with their servers of tools and their hooks.
  /(?:^|\/)(?:\.mcp\.json|opencode\.jsonc?|\.(?:claude|factory|gemini|qwen)\/settings(?:\.local)?\.json|\.factory\/(?:hooks|mcp)\.json|\.claude\/hooks\/.*|\.cursor\/(?:mcp|hooks)\.json|\.codex\/config\.toml|\.opencode\/plugins?\/.*|\.pi\/extensions\/.*)$/,
];

/** Scripts of a package.json that package managers start with an installation, or in a checkout. */
const LIFECYCLE = /^(?:(?:pre|post)?(?:install|prepare)|dependencies|prepublish|pnpm:devPreinstall)$/;

/** Whether a file is read for its scripts. */
export function isManifest(path: string): boolean {
  return /(?:^|\/)package\.json$/.test(path);
}

type Texts = ReadonlyMap<string, string>;

/**
 * Paths of a change that run something as soon as you open the repository, install its packages or use git in it.
 *
 * @param before Texts of its manifests, by path, as they were; `after`: as they are.
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

/** git takes a folder with these for a repository, and its settings with it. */
function isBareRepository(path: string, paths: ReadonlySet<string>): boolean {
  const folder = /^(.*\/)?HEAD$/.exec(path);
  return folder !== null && paths.has(`${folder[1] ?? ''}config`);
}

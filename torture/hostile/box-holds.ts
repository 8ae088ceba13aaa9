/**
 * Names of attacks that write, delete, signal or survive where the kernel forbids it: in ralph's box they fail even
 * against a ralph without its own protection. All other attacks are words, use what an agent may do (refs, objects,
 * files of the work tree), or are played by a program outside of the box.
 */
export const BOX_HOLDS: ReadonlySet<string> = new Set([
  ...['tick-in-agent-commit', 'journal-readable'],
  ...['clean-filter', 'filter-by-info-attributes', 'include-path', 'worktree-settings', 'signing-program'],
  ...['fsmonitor', 'changed-hook', 'hook-calls-file', 'smudge-filter', 'diff-program', 'ssh-command'],
  ...['changed-hook-of-git', 'forged-index'],
  ...['link-log', 'link-file', 'link-repository', 'debugger'],
  ...['inside-trust', 'inside-own-processes', 'inside-no-lock'],
]);

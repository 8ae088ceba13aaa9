import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Where ralph keeps what belongs to a repository outside of it: `$XDG_STATE_HOME/ralph/REPO-ID` (decisions.md, State).
 * The id comes from the git folder that all linked worktrees share.
 */
export function stateHomeOf(commonDir: string): string {
  const xdg = process.env.XDG_STATE_HOME ?? '';
  const base = isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state');
  const id = createHash('sha256').update(realpathSync(commonDir)).digest('hex').slice(0, 16);
  return join(base, 'ralph', id);
}

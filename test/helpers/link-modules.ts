import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Gives a copy of the repository at `root` what is installed there; the packages in `packages/` are the copy's own. */
export function linkModules(root: string, copy: string): void {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from).filter((one) => one !== '.cache'))
    symlinkSync(
      name.startsWith('ralph-') ? readlinkSync(join(from, name)) : join(from, name),
      join(to, name),
    );
}

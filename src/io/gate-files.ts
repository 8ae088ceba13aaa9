import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { GateFiles, SeenFile } from '../domain/ports.ts';
import { resolveExecutable } from './proc/launch/resolve-executable.ts';
import type { Environment } from './proc/launch/running.ts';
import { type At, realPathOf } from './real-path.ts';
import { fileSignature, readFileBytes } from './store/files/plain-file.ts';

/** Larger files, such as programs, are told apart by what the system reports of them; in bytes. */
const MOST_READ = 1_000_000;

/** Reads what gates run; a file that didn't change since is not read again. */
export function openGateFiles({
  root,
  env,
  at,
}: {
  readonly root: string;
  readonly env: Environment;
  /** Where what gates see lies. */
  readonly at: At;
}): GateFiles {
  const known = new Map<string, { readonly signature: string; readonly seen: SeenFile }>();
  return {
    see: (named) => {
      try {
        const path = realPathOf(named, at);
        const stat = statSync(at(path), { bigint: true });
        if (!stat.isFile()) return null;
        const signature = fileSignature(stat);
        const before = known.get(path);
        if (before?.signature === signature) return before.seen;
        const bytes = stat.size > MOST_READ ? null : readFileBytes(at(path));
        const seen: SeenFile = {
          path,
          hash: bytes === null ? signature : createHash('sha256').update(bytes).digest('hex').slice(0, 16),
          text: bytes === null || bytes.includes(0) ? '' : bytes.toString('utf8'),
          executable: (stat.mode & 0o111n) !== 0n,
        };
        known.set(path, { signature, seen });
        return seen;
      } catch {
        return null;
      }
    },
    program: (name) => {
      const found = resolveExecutable(name, root, env);
      return found.kind === 'found' ? found.path : null;
    },
  };
}

import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileSignature, readFileBytes } from 'ralph-kit/files/plain-file';
import { type At, realPathOf } from 'ralph-kit/files/real-path';
import { sha256 } from 'ralph-kit/files/sha256';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { resolveExecutable } from 'ralph-kit/programs/start/resolve-executable';
import type { GateFiles, SeenFile } from '../../domain/ports.ts';

/** Larger files are compared by the system's data about them; in bytes. */
const MOST_READ = 1_000_000;

/** Reads files that gates run; unchanged ones are read only once. */
export function openGateFiles({
  root,
  env,
  at,
}: {
  /** Top of the copy, as gates see it. */
  readonly root: string;
  readonly env: Environment;
  /** Maps paths as gates see them to real ones. */
  readonly at: At;
}): GateFiles {
  const cache = new Map<string, { readonly signature: string; readonly seen: SeenFile }>();
  const seeOne = (named: string): SeenFile | null => {
    try {
      const path = realPathOf(named, at);
      const stat = statSync(at(path), { bigint: true });
      if (!stat.isFile()) return null;
      const signature = fileSignature(stat);
      const before = cache.get(path);
      if (before?.signature === signature) return before.seen;
      const bytes = stat.size > MOST_READ ? null : readFileBytes(at(path));
      const seen: SeenFile = {
        path,
        hash: bytes === null ? signature : hashOf(bytes),
        text: bytes === null || bytes.includes(0) ? '' : bytes.toString('utf8'),
        executable: (stat.mode & 0o111n) !== 0n,
      };
      cache.set(path, { signature, seen });
      return seen;
    } catch {
      return null;
    }
  };
  return {
    see: (named) => {
      const shim = seeOne(named);
      const target = shim === null ? null : targetOf(shim);
      const led = target === null ? null : seeOne(target);
      if (shim === null || led === null) return shim;
      const hash = hashOf(`${led.hash} ${shim.text.replaceAll(TARGETS, '').replaceAll(PLACES, '')}`);
      return { ...led, hash, executable: shim.executable };
    },
    program: (name) => {
      const found = resolveExecutable(name, root, env, (path) => at(realPathOf(path, at)));
      return found.kind === 'found' ? found.path : null;
    },
  };
}

/** Relative targets in pnpm's shim scripts, which differ between installations that lead to the same file. */
const TARGETS = /"\$basedir\/(\.\.\/[^"]+)"/g;
/** pnpm's folders, whose names also contain versions of peer packages. */
const PLACES = /\/\.pnpm\/[^/:"]+(?=\/)/g;

/** Returns the target of a pnpm shim; `null` for other files. */
function targetOf({ path, text }: SeenFile): string | null {
  const bin = dirname(path);
  if (!bin.endsWith('/node_modules/.bin')) return null;
  return [...text.matchAll(TARGETS)].map(([, target = '']) => join(bin, target))[0] ?? null;
}

function hashOf(content: Buffer | string): string {
  return sha256(content).slice(0, 16);
}

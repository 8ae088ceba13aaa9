import type { CanaryPlace, CanaryWriter, TestText } from '../protocol.ts';

/** A crate without tests gets its first test file. */
export const rustCanary: CanaryWriter = {
  rank: rankOf,
  text: rustText,
  path: (neighbour, word, paths) => {
    const crate = crateOf(neighbour, paths);
    if (crate === null) return null;
    return /^tests\/[^/]+$/.test(neighbour.slice(crate.length)) ? undefined : `${crate}tests/${word}.rs`;
  },
};

/** Each file in `tests/` is its own program, so a crate without tests gets its first file. */
function rankOf(path: string, paths: ReadonlySet<string>): number {
  const crate = crateOf(path, paths);
  if (crate === null || !path.endsWith('.rs')) return 0;
  const inCrate = path.slice(crate.length);
  if (/^tests\/[^/]+\.rs$/.test(inCrate)) return 2;
  return /^src\//.test(inCrate) ? 1 : 0;
}

/** Returns the folder of the nearest manifest with a final slash; empty for the root; `null`: none. */
function crateOf(path: string, paths: ReadonlySet<string>): string | null {
  for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at + 1);
    if (paths.has(`${folder}Cargo.toml`)) return folder;
    if (at <= 0) return at === 0 || !paths.has('Cargo.toml') ? null : '';
  }
}

/** The test uses macros of the language, which production code can't replace in another program. */
function rustText({ word }: CanaryPlace): TestText {
  const test = `#![allow(clippy::all)]\n\n#[test]\nfn ${word}() {\n    assert_eq!(1 + 1, 3);\n}\n`;
  return { text: test, loads: [] };
}

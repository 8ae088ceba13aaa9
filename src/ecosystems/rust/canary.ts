import type { CanaryPlace, CanaryWriter, TestText } from '../canary.ts';

/** A crate without tests of its own gets the first file of them. */
export const rustCanary: CanaryWriter = {
  rank: rankOf,
  text: rustText,
  path: (neighbour, word, paths) => {
    const crate = crateOf(neighbour, paths);
    if (crate === null) return null;
    return /^tests\/[^/]+$/.test(neighbour.slice(crate.length)) ? undefined : `${crate}tests/${word}.rs`;
  },
};

/** Files of `tests/` are programs of their own; a crate without any gets its first one. */
function rankOf(path: string, paths: ReadonlySet<string>): number {
  const crate = crateOf(path, paths);
  if (crate === null || !path.endsWith('.rs')) return 0;
  const inCrate = path.slice(crate.length);
  if (/^tests\/[^/]+\.rs$/.test(inCrate)) return 2;
  return /^src\//.test(inCrate) ? 1 : 0;
}

/** The folder of the nearest manifest, with a slash at its end unless it is the top; `null`: there is none. */
function crateOf(path: string, paths: ReadonlySet<string>): string | null {
  for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at + 1);
    if (paths.has(`${folder}Cargo.toml`)) return folder;
    if (at <= 0) return at === 0 || !paths.has('Cargo.toml') ? null : '';
  }
}

/** Macros of the language: nothing that production code could replace in another program. */
function rustText({ word }: CanaryPlace): TestText {
  const test = `#![allow(clippy::all)]\n\n#[test]\nfn ${word}() {\n    assert_eq!(1 + 1, 3);\n}\n`;
  return { text: test, loads: [] };
}

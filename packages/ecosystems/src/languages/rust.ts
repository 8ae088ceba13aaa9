import { skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many, SLASHES } from './syntax.ts';

const RUST_RAW = ['##', '#', ''].map((fence) => ({
  open: `r${fence}"`,
  close: `"${fence}`,
  escapes: false,
  lines: true,
}));

export const language: Language = {
  files: {
    tests: /(?:^|\/)tests\/[^/]+\.rs$/,
    settings:
      /(?:^|\/)(?:Cargo|clippy|\.?rustfmt|\.?clippy|nextest|tarpaulin|deny|rust-toolchain)\.toml$|(?:^|\/)\.(?:cargo|config)\/.*\.toml$/,
  },
  packages: {
    manifests: /^Cargo\.toml$/,
    locks: [
      {
        file: 'Cargo.lock',
        manifest: 'Cargo.toml',
        install: () => 'cargo fetch --locked',
        rewriteCommand: () => 'cargo update --workspace',
        fetches: true,
      },
    ],
    hosts: [[['Cargo.toml'], ['index.crates.io', 'static.crates.io']]],
  },
  checkers: ['clippy', 'rustfmt', 'nextest'],
  programs: 'cargo rustc rustup',
  variables: ['CARGO_TARGET_TMPDIR', 'NEXTEST\\w*', 'RUST_TEST_\\w+'],
  asksForTests: [/\bcfg!\s*\(\s*test/g, /#\[cfg\(not\(test\)\)\]|#\[cfg\(test\)\]\s*(?:\{|return|let|if)/g],
  uncovered: {
    comment: /\bgrcov-excl/gi,
    code: /#\[(?:cfg_attr\([^\]]*,\s*)?(?:coverage\s*\(\s*off\s*\)|no_coverage|tarpaulin::skip|cfg\(not\(tarpaulin(?:_include)?\)\))[^\]]*\]/g,
  },
  code: {
    rust: {
      endings: 'rs',
      ...SLASHES,
      strings: [...RUST_RAW, many('"')],
      characters: true,
      headers: [
        /#\[(?:\w+::)*(?:test|rstest|test_case|proptest|quickcheck)\b[^\]]*\](?:\s*#!?\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g,
      ],
      idioms: skips(
        /#\[ignore\b[^\]]*\]/g,
        /#!?\[cfg\((?:any\(\)|not\(test\)|FALSE|false|feature\s*=\s*"[^"]*"|all\(test,\s*(?:any\(\)|feature[^)]*)\))\)\]/g,
        /#!?\[cfg\((?!(?:test|unix|windows|miri|loom|fuzzing|docsrs|doc|debug_assertions|panic|not|any|all|feature|target_\w+|cfg)\b)\w+\)\]|#\[cfg\(target_\w+\s*=\s*"none"\)\]/g,
        /#\[cfg_attr\([^\]]*\bignore\b[^\]]*\]/g,
        /#\[should_panic\b[^\]]*\]/g,
        /#!?\[cfg\((?=[^\]\n]*(?:target_|\bunix\b|\bwindows\b))[^\]\n]*\)\]/g,
      ),
      rewritesOutcome: /\bprocess::exit\s*\(\s*0\s*\)|\bpanic::set_hook\b|\bcatch_unwind\b/g,
    },
  },
};

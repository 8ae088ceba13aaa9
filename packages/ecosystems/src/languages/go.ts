import { directives, focuses, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many, one, SLASHES } from './syntax.ts';

export const language: Language = {
  files: {
    only: /\.go$/,
    tests: /_test\.go$/,
    settings: /(?:^|\/)\.?golangci\.(?:ya?ml|toml|json)$/,
  },
  packages: {
    manifests: /^go\.mod$/,
    locks: [
      {
        file: 'go.sum',
        manifest: 'go.mod',
        install: () => 'go mod download',
        rewriteCommand: () => 'go mod tidy',
        fetches: true,
      },
    ],
    hosts: [[['go.mod'], ['proxy.golang.org', 'sum.golang.org']]],
  },
  checkers: ['vet', 'staticcheck', 'golangci-lint', 'govulncheck'],
  programs: 'go gofmt',
  asksForTests: [
    /\b(?:testing\.Testing\s*\(|flag\.Lookup\s*\(\s*"test\.)/g,
    /\bos\.Args\b[^\n]*(?:\.test\b|-test\.|_test)|\.test"[^\n]*\bos\.Args\b/g,
  ],
  uncovered: { comment: /\bNOCOVER\b/gi },
  code: {
    go: {
      endings: 'go',
      ...SLASHES,
      strings: [many('`', false), one('"'), one("'")],
      headers: [/^func[ \t]+(?:\([^)]*\)[ \t]*)?((?:Test|Fuzz|Benchmark|Example)(?:[A-Z_]\w*)?)[ \t]*\(/gm],
      idioms: skips(
        /\b(?:t|b|f|tb|s|suite)\.(?:Skip|Skipf|SkipNow|T\(\)\.Skip\w*)\s*\(/g,
        /(?<![\w.])(?:Skip|XIt|XDescribe|PIt|PDescribe|XContext|PContext)\s*\(/g,
      ).concat(
        focuses(/(?<![\w.])(?:FIt|FDescribe|FContext|FEntry)\s*\(/g),
        directives(/\/\/(?:go:build| ?\+build)\s+[^\n]+/g),
      ),
      rewritesOutcome:
        /\bfunc\s+TestMain\s*\([^)]*\)\s*\{\s*\}|_\s*=\s*m\.Run\(\)|\bos\.Exit\s*\(\s*0\s*\)|\bsyscall\.Exit\s*\(\s*0/g,
    },
  },
};

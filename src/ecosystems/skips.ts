import type { LanguageName } from '../lib/code/languages.ts';
import { CPP_SKIPS } from './c/skips.ts';
import { DART_SKIPS } from './dart/skips.ts';
import { CSHARP_SKIPS } from './dotnet/skips.ts';
import { ELIXIR_SKIPS } from './elixir/skips.ts';
import { GO_SKIPS } from './go/skips.ts';
import type { Idiom } from './idiom.ts';
import { JAVA_SKIPS, KOTLIN_SKIPS } from './java/skips.ts';
import { JS_SKIPS } from './node/skips.ts';
import { PHP_SKIPS } from './php/skips.ts';
import { PYTHON_SKIPS } from './python/skips.ts';
import { RUBY_SKIPS } from './ruby/skips.ts';
import { RUST_SKIPS } from './rust/skips.ts';
import { SCALA_SKIPS } from './scala/skips.ts';
import { SHELL_SKIPS } from './shell/skips.ts';
import { SWIFT_SKIPS } from './swift/skips.ts';

/** What keeps a test from running, or the others, by language. */
export const IDIOMS: Readonly<Partial<Record<LanguageName, readonly Idiom[]>>> = {
  js: JS_SKIPS,
  python: PYTHON_SKIPS,
  go: GO_SKIPS,
  rust: RUST_SKIPS,
  java: JAVA_SKIPS,
  kotlin: KOTLIN_SKIPS,
  csharp: CSHARP_SKIPS,
  ruby: RUBY_SKIPS,
  php: PHP_SKIPS,
  swift: SWIFT_SKIPS,
  cpp: CPP_SKIPS,
  elixir: ELIXIR_SKIPS,
  dart: DART_SKIPS,
  scala: SCALA_SKIPS,
  shell: SHELL_SKIPS,
};

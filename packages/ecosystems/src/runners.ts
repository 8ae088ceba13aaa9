import { C } from './c/index.ts';
import { ELIXIR } from './elixir/index.ts';
import { ERLANG } from './erlang/index.ts';
import { GO } from './go/index.ts';
import { LISP } from './lisp/index.ts';
import { LUA } from './lua/index.ts';
import { NODE } from './node/index.ts';
import { OCTAVE } from './octave/index.ts';
import { PASCAL } from './pascal/index.ts';
import { PERL } from './perl/index.ts';
import { PHP } from './php/index.ts';
import { PYTHON } from './python/index.ts';
import { R } from './r/index.ts';
import { junit } from './reports/junit.ts';
import { tap } from './reports/tap.ts';
import { RUBY } from './ruby/index.ts';
import type { Runner } from './runner.ts';
import { RUST } from './rust/index.ts';
import { SCHEME } from './scheme/index.ts';
import { SHELL } from './shell/index.ts';
import { TCL } from './tcl/index.ts';
import { workspaces } from './workspaces.ts';

const OF_ONE_PACKAGE: readonly Runner[] = [
  junit,
  // Output of these runners could be read as the end of a TAP stream above it.
  ...SHELL,
  ...SCHEME,
  ...NODE,
  ...RUST,
  ...PYTHON,
  ...RUBY,
  ...GO,
  ...C,
  ...PHP,
  ...PERL,
  ...ELIXIR,
  ...ERLANG,
  ...LUA,
  ...R,
  ...OCTAVE,
  ...TCL,
  ...LISP,
  ...PASCAL,
  tap,
];

/** Runners in the order of recognition, most certain first. */
export const RUNNERS: readonly Runner[] = [...workspaces(OF_ONE_PACKAGE), ...OF_ONE_PACKAGE];

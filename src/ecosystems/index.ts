import { GO } from './go/index.ts';
import { NODE } from './node/index.ts';
import { PYTHON } from './python/index.ts';
import { junit } from './reports/junit.ts';
import { tap } from './reports/tap.ts';
import { RUBY } from './ruby/index.ts';
import type { Runner } from './runner.ts';
import { RUST } from './rust/index.ts';

export { sumOf } from './reading.ts';
export { cobertura, istanbul, lcov, printedCoverage } from './reports/coverage.ts';
export type { Reading } from './runner.ts';

/** Every runner that is known, in the order in which output is recognised: the surest comes first. */
export const RUNNERS: readonly Runner[] = [junit, ...NODE, ...RUST, ...PYTHON, ...RUBY, ...GO, tap];

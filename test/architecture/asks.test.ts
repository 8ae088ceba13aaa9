import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** The phase in which gates and checks run: the only one that asks the lab. */
const PHASE = 'loop/proof/';

/** Who enters that phase: before a task, in the walk from a task to its landing, and without an attempt. */
const ENTERED: Readonly<Record<string, string>> = {
  'loop/take-baseline.ts': 'before any task: the baseline',
  'loop/perform/take-up.ts':
    'before the agent: lock files of kept work are written again, on a line that moved',
  'loop/roles/ask-prover.ts':
    "before the agent: the prover's checks have to fail on the tree before the work, and later attempts go by them",
  'loop/roles/check-by-prover.ts': 'judging: the checks of the prover',
  'loop/iteration/examine.ts': 'judging',
  'loop/iteration/judge.ts': 'judging: what is run only once the verdict is known',
  'loop/perform/land-work.ts': 'a line that moved since judging: tested while no other work can land',
  'loop/verify/verify-work.ts': 'work that no attempt made',
};

/** Files of the phase that run nothing. */
const READING = /\/(?:tree-files|passed-gates)\.ts$/;

/** Returns the imports of a file: the names, without types, and the file that they are from. */
function importsOf(path: string): { readonly names: readonly string[]; readonly from: string }[] {
  const text = readFileSync(join(SRC, path), 'utf8');
  const all = text.matchAll(/^(?:import|export) \{([^}]*)\} from '(\.[^']+)';/gm);
  return [...all].map(([, names = '', from = '']) => ({
    names: names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ')),
    from: join(dirname(path), from),
  }));
}

const FILES = sourceFiles().map((path) => ({ path, imports: importsOf(path) }));

it('the lab is asked by one phase, and by `ralph gates`, which has no task', () => {
  const asks = (name: string) => /^ask(?:There)?(?: as |$)/.test(name);
  const asking = FILES.filter(({ imports }) =>
    imports.some(({ names, from }) => from === 'lab/index.ts' && names.some(asks)),
  ).map(({ path }) => path);
  expect(asking.filter((path) => !path.startsWith(PHASE))).toEqual(['loop/index.ts']);
  expect(asking.length).toBeGreaterThan(10);
  const named = FILES.filter(({ imports }) =>
    imports.some(({ names, from }) => from === 'loop/index.ts' && names.some(asks)),
  );
  expect(named.map(({ path }) => path)).toEqual(['app/commands/gates.ts']);
  const around = FILES.filter(
    ({ path, imports }) =>
      !path.startsWith('lab/') && imports.some(({ from }) => /^lab\/(?!index)/.test(from)),
  );
  expect(around.map(({ path }) => path)).toEqual([]);
});

it('the phase is entered where it is listed, each with what it tests', () => {
  const entering = FILES.filter(
    ({ path, imports }) =>
      !path.startsWith(PHASE) &&
      imports.some(({ names, from }) => from.startsWith(PHASE) && !READING.test(from) && names.length > 0),
  );
  expect(entering.map(({ path }) => path).toSorted()).toEqual(Object.keys(ENTERED).toSorted());
});

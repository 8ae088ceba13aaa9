import type { Change } from '../change.ts';
import { remembered } from '../remember.ts';
import type { Assertion } from './assertions.ts';

type Placed = { readonly change: Change; readonly assertion: Assertion };

/** A test that is run once for each of several values. */
const PARAMETRISED =
  /parametri[sz]e|\bparams\s*=|\.each\b|\.for\(|withData|@(?:Parameterized|ValueSource|CsvSource|MethodSource|EnumSource|DataProvider)|\[(?:Theory|TestCase)|#\[(?:rstest|case|test_case|DataProvider)|subTest|t\.Run\(|forEach|\.each do|\bfor\b.*\b(?:in|of|range)\b|->with\(|shared_examples|it_behaves_like|arguments:|forAll/;

/** The same check, once for all the cases that had one each. */
export function repeatedChecks(added: readonly Placed[]): (old: Placed) => boolean {
  const texts = new Map<Change, Set<string>>();
  for (const { change, assertion } of added) {
    if (!isParametrised(change)) continue;
    texts.set(change, (texts.get(change) ?? new Set()).add(assertion.text));
  }
  return ({ change, assertion }) => texts.get(change)?.has(assertion.text) === true;
}

const isParametrised = remembered(({ after }: Change): boolean =>
  after.side.lines.some(({ changed, text }) => changed && PARAMETRISED.test(text)),
);

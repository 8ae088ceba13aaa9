import type { Change } from '../change.ts';
import { remembered } from '../remember.ts';
import type { Assertion } from '../tests/assertions.ts';

type Placed = { readonly change: Change; readonly assertion: Assertion };

const PARAMETRISED =
  /parametri[sz]e|\bparams\s*=|\.each\b|\.for\(|withData|@(?:Parameterized|ValueSource|CsvSource|MethodSource|EnumSource|DataProvider)|\[(?:Theory|TestCase)|#\[(?:rstest|case|test_case|DataProvider)|subTest|t\.Run\(|forEach|\.each do|\bfor\b.*\b(?:in|of|range)\b|->with\(|shared_examples|it_behaves_like|arguments:|forAll/;

const TAKES_IN =
  /\b(?:it_behaves_like|it_should_behave_like|include_examples|include_context|extends|use \w+;|class \w+\(\w+|testKit|commonTests?|\w*Contract|shared\w*)\b|^\s*include\s/;

/** Returns whether the change makes the file run tests that are written elsewhere. */
export const includesOtherTests = remembered(({ after }: Change): boolean =>
  after.side.lines.some(({ changed, text }) => changed && TAKES_IN.test(text)),
);

export function repeatedChecks(added: readonly Placed[]): (old: Placed) => boolean {
  const texts = new Map<Change, Set<string>>();
  for (const { change, assertion } of added) {
    if (!isParametrised(change)) continue;
    texts.set(change, (texts.get(change) ?? new Set()).add(assertion.text));
  }
  const all = new Map(added.map((one) => [one.assertion.text, one.change]));
  return ({ change, assertion }) =>
    texts.get(change)?.has(assertion.text) === true ||
    (includesOtherTests(change) && (all.get(assertion.text) ?? change) !== change);
}

export const isParametrised = remembered(({ after }: Change): boolean =>
  after.side.lines.some(({ changed, text }) => changed && PARAMETRISED.test(text)),
);

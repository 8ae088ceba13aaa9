import type { GateSource } from '../../../domain/gate.ts';
import type { TestRunner } from '../../../domain/proof.ts';

/** Formats that one runner alone prints; TAP and JUnit XML are written by many. */
const BY_FORMAT: Readonly<Record<string, TestRunner>> = {
  vitest: 'vitest',
  jest: 'jest',
  node: 'node',
  mocha: 'mocha',
  pytest: 'pytest',
  unittest: 'unittest',
  go: 'go',
  cargo: 'cargo',
  nextest: 'cargo',
  rspec: 'rspec',
};

/** A word that is a program's name, alone or in a folder of programs: what starts it is of many kinds. */
const called = (program: string) =>
  new RegExp(String.raw`(?:^|[\s;&|('"]|bin/|\./)(?:${program})(?:\.[cm]?js)?(?=$|[\s;&|)'"])`, 'm');

const BY_PROGRAM: readonly (readonly [TestRunner, RegExp])[] = [
  ['vitest', called('vitest')],
  ['jest', called('jest|jest-cli|react-scripts test')],
  ['mocha', called('_?mocha')],
  ['pytest', called(String.raw`py\.?test(?:-[\d.]+)?`)],
  ['unittest', called('unittest')],
  ['node', called(String.raw`(?:node|tsx)\b[^;&|\n]* --test(?:-[\w-]+(?:=\S*)?)*`)],
  ['go', called(String.raw`go(?:\s+-C\s+\S+)?\s+test|gotestsum`)],
  ['cargo', called(String.raw`cargo\b[^;&|\n]*\s(?:test|t|nextest)`)],
  ['rspec', called('rspec')],
  [
    'junit',
    called(
      String.raw`(?:mvnw?|mvnd|gradlew?)\b[^;&|\n]*\s(?:\S*:)?(?:test|check|build|verify|install|package)`,
    ),
  ],
];

/**
 * What runs the tests of a gate; `null`: nothing that a test can be added to.
 *
 * @param printed Whose results were found in the gate's output: the surest sign. Else the programs that it calls.
 */
export function runnerOf(
  printed: readonly string[],
  { run, sources }: { readonly run: string; readonly sources: readonly GateSource[] },
): TestRunner | null {
  const one = printed.flatMap((name) => BY_FORMAT[name] ?? [])[0];
  if (one !== undefined) return one;
  const commands = [
    run,
    ...sources.flatMap(({ name, content }) => (name.startsWith('scripts.') ? [name, content] : [name])),
  ].join('\n');
  const found = BY_PROGRAM.find(([, pattern]) => pattern.test(commands))?.[0];
  // A report in XML says little; lines that Maven or Gradle print are read as the same.
  return found ?? (printed.includes('junit') ? 'junit' : null);
}

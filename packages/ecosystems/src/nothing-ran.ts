import type { Reading, Runner } from './protocol.ts';

/**
 * Reads that a build tool or a tool for workspaces ended with 0 and ran no test. What the commands that it starts print
 * is for other runners.
 */
export const taskRunner: Runner = { name: 'task-runner', read };

const TESTS = '(?:unit-?)?(?:tests?|check|specs?)';
/**
 * Messages about one target: a file or folder has its name, and there is no rule for it, or the target isn't phony (GNU
 * Make 4.3, bmake 20200710, SCons 4.4).
 */
const NOT_BUILT = new RegExp(
  String.raw`^(?:(?:g?make(?:\[\d+\])?|scons): )?(?:[\`']${TESTS}' is up to date|Nothing to be done for '${TESTS}')\.$`,
);
/** Lines around such a message. */
const FRAME = /^scons: (?:Reading SConscript files|done reading|Building targets|done building)|^\s*$/;
/**
 * Messages about a whole run: no package has the script, or no test is defined (turbo 2.11, nx 22, lerna 9, pnpm 12,
 * ExtUtils::MakeMaker 7.64).
 */
const NOTHING_RAN = [
  /^ *WARNING +No tasks were executed as part of this run\.$/,
  /^ *NX +No tasks were run$/,
  /^lerna success run No packages found with the lifecycle script '/,
  /^No projects matched the filters in "/,
  /^No tests defined for \S+ extension\.$/,
];

function read(lines: readonly string[], whole: boolean): Reading | null {
  const printed = lines.filter((line) => !FRAME.test(line));
  const isAlone = printed.length > 0 && printed.every((line) => NOT_BUILT.test(line));
  const isWholeRun = printed.some((line) => NOTHING_RAN.some((one) => one.test(line)));
  return whole && (isAlone || isWholeRun) ? { tests: null, failing: [], none: true } : null;
}

/** Lines with which package managers say what they start: `> pnpm -r test`, `$ jest`, `Scope: 2 of 3 workspace projects`. */
const ANNOUNCES = /^(?:>|\$) |^Scope: \d+ of \d+ workspace projects$|^\s*$/;

/** Whether a command's output has no line but those of the programs that started it. */
export function printedNothing(output: string): boolean {
  return output.split('\n').every((line) => ANNOUNCES.test(line));
}

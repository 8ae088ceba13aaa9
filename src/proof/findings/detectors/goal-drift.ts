import type { Observed, ObservedAction } from '../../../domain/observed.ts';
import type { Task } from '../../../domain/task.ts';
import { PROGRAMS } from '../../../ecosystems/index.ts';
import { changesFiles } from '../../../lib/actions/action.ts';
import { expectedPathsOf } from '../../../lib/scope/expected-paths.ts';
import { keywordsOf, stem, wordsOf } from '../../../lib/scope/keywords.ts';
import { type Attempt, reasonsAgainstCompletion } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { DRIFT } from '../numbers.ts';

/**
 * The newest actions have nothing to do with the task (`driftOf`). Work that is claimed as done and that the gates
 * confirm reached its goal, by whatever way.
 */
export function goalDrift(attempt: Attempt): Found | null {
  const { observed, task, claim, gateReport } = attempt;
  const proven =
    claim.completion && gateReport.status === 'passed' && reasonsAgainstCompletion(attempt).length === 0;
  return proven ? null : driftOf(observed, task);
}

/**
 * Judged are actions that tell where the work goes: writes, patches, and commands other than the everyday ones (tests,
 * builds, git, looking around). Of the newest five of these, and of all that was done in between, reading included, none
 * touches an expected path or shares a keyword with the task. Without expected paths, words are all there is to compare
 * with, and a task of one or two of them is not judged.
 */
export function driftOf({ actions }: Observed, task: Task): Found | null {
  const expected = expectedPathsOf(task);
  const keywords = keywordsOf(task);
  if (expected === null && keywords.size < DRIFT.leastKeywords) return null;
  const telling = actions.flatMap((action, index) => (isTelling(action) ? [index] : []));
  const first = telling.at(-DRIFT.actions);
  if (telling.length < DRIFT.actions || first === undefined) return null;
  const recent = actions.slice(first);
  const related = recent.some(({ text, paths }) => {
    const words = [...paths, ...text.split(/[\s'"`=:;,()]+/)];
    return words.some(
      (word) =>
        expected?.matches(word.replace(/^\.\//, '')) === true ||
        wordsOf(word).some((part) => keywords.has(stem(part))),
    );
  });
  if (related) return null;
  return {
    severity: 'low',
    summary: `The newest ${recent.length} actions have nothing to do with the task.`,
    details: {
      actions: recent
        .filter(isTelling)
        .slice(-DRIFT.actions)
        .map(({ text }) => text),
      expected: expected?.listed ?? [],
      keywords: [...keywords].slice(0, 20),
    },
  };
}

function isTelling({ kind, tool, text }: ObservedAction): boolean {
  if (changesFiles({ kind })) return true;
  return (
    kind === 'system_command' && !isRoutine(text.startsWith(`${tool} `) ? text.slice(tool.length + 1) : text)
  );
}

/** Programs that work on anything calls: looking around, version control, packages. */
const EVERYDAY = new Set(
  (
    'ls cat head tail less more grep egrep rg ag find fd sed awk sort uniq wc cut tr diff cmp tree stat file du df pwd ' +
    'cd echo printf which type env export set true false sleep date test mkdir touch chmod xargs tee jq ps kill wait ' +
    'source time timeout nproc uname whoami command git gh hg svn jj nix docker docker-compose'
  ).split(' '),
);

/**
 * Whether a command line is of the everyday kind, which goes with any task: all of its programs are. Read by words
 * alone, without a shell's care: routine only means that it doesn't count against the agent.
 */
function isRoutine(command: string): boolean {
  const parts = command.split(/&&|\|\||[;|&\n]|\$\(/).map((part) => part.trim());
  return parts.filter((part) => part !== '').every(isRoutinePart);
}

function isRoutinePart(part: string): boolean {
  const words = part.split(/\s+/).filter((word) => !/^\w+=|^[({]|^\d?[<>]/.test(word));
  const program = words[0]?.replace(/^.*\//, '') ?? '';
  if (/^(?:python3?|node|ruby|perl)$/.test(program))
    return /^(?:-m|--test|--version|-V|-v)$/.test(words[1] ?? '');
  return program === '' || EVERYDAY.has(program) || PROGRAMS.has(program);
}

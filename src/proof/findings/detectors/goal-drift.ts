import { PROGRAMS } from 'ralph-ecosystems';
import { changesFiles } from 'ralph-kit/actions/action';
import { expectedPathsOf } from 'ralph-kit/scope/expected-paths';
import { keywordsOf, stem, wordsOf } from 'ralph-kit/scope/keywords';
import type { Observed, ObservedAction } from '../../../domain/observed.ts';
import type { Task } from '../../../domain/task.ts';
import { type Attempt, reasonsAgainstCompletion } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { DRIFT } from '../numbers.ts';

/** Finds that the latest actions aren't about the task (`driftOf`). Claimed work that passes the gates reached its goal. */
export function goalDrift(attempt: Attempt): Found | null {
  const { observed, task, claim, gateReport } = attempt;
  const proven =
    claim.completion && gateReport.status === 'passed' && reasonsAgainstCompletion(attempt).length === 0;
  return proven ? null : driftOf(observed, task);
}

/**
 * Finds that the last five telling actions, and all actions in between, neither touch an expected path nor share a keyword with the task.
 * Telling actions are writes, patches, and commands other than everyday ones (tests, builds, git, reading). Without expected paths and with
 * only one or two keywords, a task isn't judged.
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

const EVERYDAY = new Set(
  (
    'ls cat head tail less more grep egrep rg ag find fd sed awk sort uniq wc cut tr diff cmp tree stat file du df pwd ' +
    'cd echo printf which type env export set true false sleep date test mkdir touch chmod xargs tee jq ps kill wait ' +
    'source time timeout nproc uname whoami command git gh hg svn jj nix docker docker-compose'
  ).split(' '),
);

/** Returns whether all programs of a command line are everyday ones. Read by words alone, as the result can only spare the agent. */
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

import { isTestFile, resolvedPath } from 'ralph-ecosystems';
import { nameOf, parentOf } from 'ralph-kit/paths';
import type { CommandRun } from '../../../domain/command-run.ts';
import type { GateOutcome } from '../../../domain/gate.ts';
import type { ProverCheck, TriedCheck } from '../../../domain/prover.ts';
import { goalText, type Task } from '../../../domain/task.ts';
import { redNames } from '../../../domain/test-results.ts';

export type Known = {
  readonly task: Task;
  readonly paths: readonly string[];
};

export function problemOf(check: ProverCheck, { task, paths }: Known): string | null {
  const { criterion, files } = check;
  if (criterion > task.acceptance.length || (criterion === 0 && task.acceptance.length > 0))
    return `there is no criterion ${criterion}`;
  const there = new Set(paths);
  const folders = new Set(paths.flatMap(foldersOf));
  for (const { path } of files) {
    if (!isPlain(path)) return `${path} isn't a path in the repository`;
    if (there.has(path) || folders.has(path)) return `${path} is there`;
    const [top = path] = path.split('/');
    const isOwn = path.includes('/') && !folders.has(top);
    const folder = parentOf(`/${path}`).slice(1);
    const isNearTest =
      isTestFile(path) || paths.some((one) => parentOf(`/${one}`).slice(1) === folder && isTestFile(one));
    if (!isOwn && !isNearTest) return `${path} lies beside no test`;
  }
  const text = taskText(task);
  const own = new Set(files.map(({ path }) => path));
  for (const { path, text: content } of files) {
    const strange = loadsOf(content)
      .map((one) => resolvedPath(path, one))
      .find((one) => !isKnown(one, { there, folders, own, text }));
    if (strange !== undefined) return `${strange} is named by nothing`;
  }
  return null;
}

function isPlain(path: string): boolean {
  const parts = path.split('/');
  return (
    path !== '' &&
    !/[\\\0\n]/.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..') &&
    !['.git', '.ralph', 'node_modules'].includes(parts[0] ?? '')
  );
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function loadsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import|require)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`$]+)\1/g)].map(
    ([, , path = '']) => path,
  );
}

type Names = {
  readonly there: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
  readonly text: string;
};

function isKnown(path: string, { there, folders, own, text }: Names): boolean {
  const stem = path.replace(/\.\w+$/, '');
  const isThere = (one: string) => there.has(one) || own.has(one);
  if (
    isThere(path) ||
    folders.has(path) ||
    [...there, ...own].some((one) => one.replace(/\.\w+$/, '') === stem)
  )
    return true;
  return text.includes(nameOf(stem));
}

function taskText(task: Task): string {
  return `${goalText(task)}\n${task.notes}`;
}

type Trial = Pick<CommandRun, 'outcome' | 'results' | 'outputTail'>;

export function droppedBecause(
  { check, touched, problem }: TriedCheck,
  trials: readonly Trial[],
  task: Task,
): string | null {
  if (problem !== null) return problem;
  const [first, second] = trials;
  if (first === undefined || second === undefined) return "it wasn't tried twice";
  if (touched.length > 0) return `it changes ${touched[0]}`;
  const other = trials.find(({ outcome }) => outcome.kind !== 'failed');
  if (other !== undefined) return OTHERWISE[other.outcome.kind];
  const failure = failureOf(first);
  if (failure !== failureOf(second)) return 'it fails in another way each time';
  return ownMistake(check, failure, task);
}

const OTHERWISE: Readonly<Record<GateOutcome['kind'], string>> = {
  passed: 'it passes before the work',
  failed: '',
  timed_out: "it doesn't end",
  tool_missing: 'what it runs is missing',
  skipped: "it wasn't run",
};

const MISSING =
  /(?:Cannot find (?:module|package)|No module named|Failed to (?:resolve|load)[^'"]*|unresolved import|no required module provides package) ['"`]?([\w@./:-]+)/;

/** Returns why a check can't be loaded for a reason that the task's work doesn't change, or `null`. */
function ownMistake({ files, command }: ProverCheck, failure: string, task: Task): string | null {
  const missing = MISSING.exec(failure)?.[1];
  if (missing !== undefined) {
    const name =
      nameOf(missing)
        .replace(/\.\w+$/, '')
        .split('.')
        .at(-1) ?? missing;
    const isOfProject = /^[./]/.test(missing) || taskText(task).includes(name);
    const isUsed = [command, ...files.map(({ text }) => text)].some((text) => text.includes(name));
    if (!isOfProject || !isUsed) return `${missing}, which it loads, is missing`;
  }
  const isSyntax =
    /\bSyntaxError\b|\bIndentationError\b/.test(failure) && !/does not provide an export/.test(failure);
  return isSyntax && files.some(({ path }) => failure.includes(nameOf(path))) ? "it can't be read" : null;
}

const VOLATILE =
  /\b\d{4}-\d\d-\d\dT[\d:.]+Z?|\b0x[\da-f]+\b|\b[\da-f]{8,}\b|(?<![\w.])(?:\/[\w.@+-]+){2,}|\b\d+(?:[.,]\d+)*\s*(?:ms|s|µs|ns|seconds?|minutes?)?\b/gi;

/** Returns a failure in a form that is equal for equal failures: names of failed tests if there are any, else the output. */
export function failureOf({ results, outputTail: output }: Trial): string {
  const failing = redNames(results);
  if (failing.length > 0) return `${[...failing].sort().join('\n')}\n${errorsIn(output)}`;
  return output
    .replace(VOLATILE, '#')
    .replace(/[ \t]+/g, ' ')
    .trim()
    .slice(-MOST_KEPT);
}

/** Characters of a failure that are compared. */
const MOST_KEPT = 4000;

function errorsIn(output: string): string {
  const lines = output.split('\n').filter((line) => /Error\b|Cannot find|No module named/.test(line));
  return [...new Set(lines.map((line) => line.replace(VOLATILE, '#').trim()))].join('\n').slice(0, MOST_KEPT);
}

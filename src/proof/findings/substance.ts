import { toolOutputOf } from 'ralph-ecosystems';
import { parsePatch, type Run } from 'ralph-kit/formats/patch';
import { nameOf } from 'ralph-kit/paths';
import { type Change, type ChangeSet, GITLINK, type IdleChange } from '../../domain/change-set.ts';
import type { Task } from '../../domain/task.ts';

const SYMLINK = '120000';

const INDENTED =
  /\.(?:py|pyi|pyx|ya?ml|mk|haml|slim|pug|jade|sass|styl|coffee|hs|elm|nim|fs|fsx|gd|csv|tsv)$|(?:^|\/)(?:(?:GNU)?[Mm]akefile|[Jj]ustfile)$/;
/** Files of prose, in which a space between words has a meaning. */
const PROSE = /\.(?:md|markdown|rst|txt|adoc|tex|html?|xml|svg|po|srt)$/;
const STRING = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/;
/** Files whose existence has a meaning, even when they are empty. */
const MARKER = /^(?:__init__\.py|py\.typed|\.nojekyll|\.(?:git)?keep)$/;

/**
 * Returns the changes of files that gates also write, and all changes of a set that otherwise only changes white space, line ends and
 * modes. A set with any other or unknown change, such as after a patch was cut off, has only the former.
 */
export function idleChanges(
  { changes }: Pick<ChangeSet, 'changes'>,
  patch: string,
  isOutput: (path: string) => boolean,
): IdleChange[] {
  const outputs: IdleChange[] = changes
    .filter(({ kind, path }) => kind !== 'renamed' && isOutput(path))
    .map(({ path }) => ({ path, why: 'output' }));
  const isIdle = new Set(outputs.map(({ path }) => path));
  const links = changes.filter(isSubmodule).map(({ path }) => `${path}/`);
  // Changes inside a submodule are listed after it, and aren't in the patch.
  if (changes.length === 0 || changes.some(({ path }) => links.some((link) => path.startsWith(link))))
    return outputs;
  const files = parsePatch(patch);
  const idle = [...outputs];
  for (const [index, change] of changes.entries()) {
    if (isIdle.has(change.path)) continue;
    const why = whyIdle(change, files[index]?.runs ?? []);
    if (why === null) return outputs;
    idle.push({ path: change.path, why });
  }
  return idle;
}

function isSubmodule({ oldMode, newMode }: Change): boolean {
  return oldMode === GITLINK || newMode === GITLINK;
}

/** @param runs Lines removed and added at each place; a line that moved is a change in two places. */
function whyIdle(change: Change, runs: readonly Run[]): IdleChange['why'] | null {
  const { kind, binary, path } = change;
  if (kind === 'mode_changed') return 'mode';
  if (
    isSubmodule(change) ||
    binary ||
    kind === 'renamed' ||
    kind === 'type_changed' ||
    change.newMode === SYMLINK
  )
    return null;
  if (kind === 'added' && MARKER.test(nameOf(path))) return null;
  // Where the patch was cut off, the last run is incomplete.
  if (!isWhole(change, runs) || runs.some(({ removed, added }) => bare(removed, path) !== bare(added, path)))
    return null;
  return kind === 'modified' ? 'white_space' : 'empty';
}

function isWhole({ linesAdded, linesRemoved }: Change, runs: readonly Run[]): boolean {
  const count = (side: 'removed' | 'added') => runs.reduce((sum, run) => sum + run[side].length, 0);
  return count('removed') === linesRemoved && count('added') === linesAdded;
}

function bare(lines: readonly string[], path: string): string {
  if (INDENTED.test(path)) {
    return lines
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
      .join('\n');
  }
  const text = lines.join('\n');
  if (PROSE.test(path)) return text.replace(/\s+/g, ' ').trim();
  const parts = text.split(STRING).map((part, index) => (index % 2 === 1 ? part : withoutSpaces(part)));
  return parts.join('').trim();
}

/** White space between two words is kept, as it separates them. */
function withoutSpaces(code: string): string {
  return code.replace(/\s+/g, ' ').replace(/(?<![\p{L}\p{N}_$]) | (?![\p{L}\p{N}_$])/gu, '');
}

/** Words that ask for such a change; `null` if only the file's name does. */
const ASKED: Readonly<Record<IdleChange['why'], RegExp | null>> = {
  white_space:
    /\b(?:white ?spaces?|spac(?:es?|ing)|indent\w*|tabs?|(?:re)?format\w*|pretti\w*|lint\w*|styl(?:e|ing)|align\w*|line[ -]?(?:ends?|endings?|feeds?|breaks?)|newlines?|crlf|lf|eol|blank|trailing|wrap\w*|tidy|editorconfig|beautif\w*)\b/i,
  mode: /\b(?:executable|runnable|chmod|permissions?|rights|modes?|(?:exec(?:ute)?|x)[ -]bit|0?755|0?644)\b|\+x\b|\b(?:run|start|call|execut|invok|launch)\w*\b[^.\n]{0,40}\b(?:directly|without (?:an interpreter|sh|bash|node|python\d?))\b/i,
  empty: /\b(?:empty|placeholder|touch|blank)\b/i,
  output: null,
};

export function isAskedFor(
  { title, description, acceptance, notes, expectedPaths }: Task,
  { path, why }: IdleChange,
): boolean {
  const text = [title, description, ...acceptance, notes].join('\n');
  // A task may mention `node_modules` or a file in it; only its expected paths ask for one.
  const output = toolOutputOf(path);
  const texts = [...(output === null ? [text] : []), ...(expectedPaths ?? [])];
  const named = texts.some((words) => words.includes(nameOf(output ?? path)));
  return ASKED[why]?.test(text) === true || (named && why !== 'white_space' && why !== 'mode');
}

const WORDS: Readonly<Record<IdleChange['why'], string>> = {
  white_space: 'white space',
  mode: 'file modes',
  empty: 'files without content',
  output: 'files that tools write',
};

/** Returns the kinds of changes that don't count as work, for a sentence: `white space and file modes`. */
export function namesOfIdle(idle: readonly IdleChange[]): string {
  return [...new Set(idle.map(({ why }) => WORDS[why]))].join(' and ');
}

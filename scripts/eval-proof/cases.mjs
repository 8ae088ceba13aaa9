// Makes right and wrong changes from a commit of a library.
import { ENDLESS } from './checkout.mjs';
import { shuffled } from './dice.mjs';
import { mistakesIn } from './mistakes.mjs';
import { assertionsOf, blocksOf, groupsOf, hunksOf, withHunks } from './pieces.mjs';

/** Maximum number of lines of a change that is used. */
const MOST_CODE = 120;
const MOST_TESTS = 400;
/** Maximum number of mistakes that are tried in one change. */
const MOST_TRIES = 16;
/** Files that decide how tests run: a commit that changes one of them needs more than its code. */
const SETTINGS =
  /(^|\/)(package(-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|go\.(mod|sum)|setup\.(cfg|py)|pyproject\.toml|tox\.ini|conftest\.py|\.github\/.*)$/;

/** Returns commits of a library from which cases may be made, the newest first. */
export function candidatesOf(library, { git }) {
  return git('log', '--no-merges', '--format=@%H %P', '--numstat', '--no-renames', library.commit)
    .split('@')
    .slice(1)
    .flatMap((entry) => {
      const [head, , ...rows] = entry.trim().split('\n');
      const [id, parent] = head.split(' ');
      const files = rows
        .map((row) => row.split('\t'))
        .map(([added, removed, path]) => ({ path, lines: Number(added) + Number(removed) }));
      return (parent ?? '') !== '' && isCandidate(library, files) ? [{ id, parent }] : [];
    });
}

function isCandidate(library, files) {
  const linesOf = (kind) =>
    files.filter(({ path }) => kindOf(library, path) === kind).reduce((sum, { lines }) => sum + lines, 0);
  const [code, tests] = [linesOf('code'), linesOf('tests')];
  if (files.length > 20 || files.some(({ path, lines }) => Number.isNaN(lines) || SETTINGS.test(path)))
    return false;
  return code > 0 && code <= MOST_CODE && tests > 1 && tests <= MOST_TESTS;
}

function kindOf({ code, tests }, path) {
  if (new RegExp(tests).test(path)) return 'tests';
  return new RegExp(code).test(path) ? 'code' : 'other';
}

/**
 * Returns the right change of a commit and wrong ones, or why there are none. The right one has the commit's code and a
 * part of its tests; a wrong one also has a mistake that the commit's complete tests notice. Each has its files' texts
 * by path.
 * @returns {{ why: string } | { subject: string, pieces: number, cases: object[], heldOut: object }}
 */
export function casesOf(library, checkout, { id, parent }, seed) {
  const { git, textAt } = checkout;
  const subject = git('log', '-1', '--format=%s', id).trim();
  const paths = git('diff', '--name-only', '-z', '--no-renames', parent, id).split('\0').filter(Boolean);
  const files = paths.map((path) => ({
    ...{ path, kind: kindOf(library, path), before: textAt(parent, path), after: textAt(id, path) },
    hunks: hunksOf(git('diff', '--no-renames', '--no-color', '-U0', parent, id, '--', path)),
  }));
  if (files.some(({ kind, before, after }) => after === null || (kind === 'code' && before === null)))
    return { why: 'a file is added or removed' };
  const of = (kind) => files.filter((file) => file.kind === kind);
  const split = splitTests(of('tests'));
  if (split === null) return { why: 'its tests are one piece' };
  const whole = textsOf(files);
  const allTests = textsOf(of('tests'));
  /** Returns how the tests end on the parent commit with these files. */
  const endOf = (change) => {
    checkout.checkout(parent);
    checkout.write(change);
    return checkout.run(library.test);
  };
  const passes = (change) => endOf(change) === 0;
  if (!passes({})) return { why: 'tests fail before' };
  if (!passes(whole)) return { why: 'tests fail with it' };
  if (passes({ ...textsOf(of('other')), ...allTests })) return { why: 'its tests pass without its code' };
  const right = { ...whole, ...split.visible };
  if (!passes(right)) return { why: 'a part of its tests fails alone' };
  if (split.isPart && !passes({ ...whole, ...split.heldOut }))
    return { why: 'a part of its tests fails alone' };
  const needsWork = !passes({
    ...right,
    ...Object.fromEntries(of('code').map(({ path, before }) => [path, before])),
  });
  const wrong = wrongOnes(of('code'), { right, allTests, endOf, dice: `${seed} ${id}` });
  if (wrong.length === 0) return { why: 'no mistake is noticed' };
  const cases = [{ kind: 'right', seen: null, mistake: null, files: right }, ...wrong];
  return {
    subject,
    pieces: split.pieces,
    isPart: split.isPart,
    needsWork,
    cases,
    heldOut: split.heldOut,
  };
}

/**
 * Returns the first mistake, in random order, that the complete tests notice, and the first of those that the visible
 * part doesn't notice.
 */
function wrongOnes(code, { right, allTests, endOf, dice }) {
  const found = [];
  const before = new Map(code.map((file) => [file.path, file.before]));
  const tried = shuffled(mistakesIn(code), dice, ({ name }) => name).slice(0, MOST_TRIES);
  for (const { name, kind, files } of tried) {
    const texts = files.map(({ path, hunks }) => [path, withHunks(before.get(path), hunks)]);
    const change = { ...right, ...Object.fromEntries(texts) };
    if ([0, ENDLESS].includes(endOf({ ...change, ...allTests }))) continue;
    const seen = endOf(change) !== 0;
    if (seen && found.length > 0) continue;
    found.push({ kind: 'wrong', seen, mistake: { name, kind }, isFirst: found.length === 0, files: change });
    if (!seen) break;
  }
  return found;
}

/**
 * Splits the tests: every second piece is visible. Of the others, every second one is held out, and the rest isn't used.
 */
function splitTests(files) {
  const pieces = piecesOf(files);
  const movable = pieces.filter(({ isFixed }) => !isFixed);
  if (movable.length < 2) return null;
  const left = movable.filter((_, index) => index % 2 === 1);
  const unknown = left.filter((_, index) => index % 2 === 1);
  const without = (leftOut) => {
    const put = pieces.filter((piece) => !leftOut.includes(piece));
    return Object.fromEntries(
      files.map(({ path, before }) => {
        const hunks = put.filter((piece) => piece.path === path).flatMap((piece) => piece.hunks);
        // A new file of which no piece is left doesn't exist.
        return [path, before === null && hunks.length === 0 ? null : withHunks(before ?? '', hunks)];
      }),
    );
  };
  return {
    ...{ pieces: movable.length, isPart: unknown.length > 0 },
    ...{ visible: without(left), heldOut: without(unknown) },
  };
}

/**
 * Returns the hunks of tests, with new ones cut into blocks. If that is only one piece, it is cut into assertions; the
 * code around them is always there.
 */
function piecesOf(files) {
  const groups = files.flatMap(({ path, hunks }) => groupsOf(hunks).map((group) => ({ path, hunks: group })));
  const onlyAdds = ({ hunks }) => hunks.every(({ old }) => old === 0);
  const cut = (how) =>
    groups.flatMap((group) =>
      onlyAdds(group)
        ? group.hunks.flatMap(how).map((hunk) => ({
            ...{ path: group.path, hunks: [hunk], isFixed: hunk.isAssertion === false },
          }))
        : [{ ...group, isFixed: false }],
    );
  const blocks = cut(blocksOf);
  return blocks.length > 1 ? blocks : cut(assertionsOf);
}

function textsOf(files) {
  return Object.fromEntries(files.map(({ path, after }) => [path, after]));
}

// Makes a Markdown table that shows how often right and wrong changes are blocked.

/**
 * Ways to judge, by name: whether each blocks a judged case. `verified, weak` passes in the first of ralph's rows and
 * is blocked in the second.
 */
const WAYS = {
  "the project's own tests": ({ tests }) => tests !== 0,
  '`ralph verify`': ({ ralph }) => ralph.exit !== 0,
  '`ralph verify`, weak is blocked, too': ({ ralph }) => ralph.verdict !== 'verified',
  'with a held-out gate': ({ heldOut }) => heldOut.exit !== 0,
};

/** Returns the whole table. @param judged Judged cases. */
export function tablesOf(judged) {
  const rights = judged.filter(({ kind }) => kind === 'right');
  const wrongs = judged.filter(({ kind }) => kind === 'wrong');
  const first = wrongs.filter(({ isFirst }) => isFirst);
  const unseen = wrongs.filter(({ seen }) => !seen);
  const groups = [
    ['right', rights],
    ['wrong, as they fall', first],
    ['wrong, and the visible tests pass', unseen],
    ['all wrong', wrongs],
  ];
  const blocked = table(
    ['blocked by', ...groups.map(([name, { length }]) => `${name} (${length})`)],
    Object.entries(WAYS).map(([name, isBlocked]) => [
      name,
      ...groups.map(([, list]) => share(list.filter(isBlocked).length, list.length)),
    ]),
  );
  const apart = wrongs.filter(({ isPart }) => isPart);
  const shown = rights.filter(({ needsWork }) => needsWork);
  const twice = judged.filter(({ again }) => again !== null);
  const agreeing = twice.filter(
    ({ ralph, again }) => ralph.verdict === again.verdict && ralph.grade === again.grade,
  );
  return [
    `${judged.length} changes: ${rights.length} right, ${wrongs.length} wrong, ${unseen.length} of which pass the visible tests.`,
    blocked,
    `Visible tests of ${shown.length} right changes fail without the code; of these ${share(shown.filter(({ ralph }) => ralph.verdict === 'verified').length, shown.length)} are \`verified\`. Of the others there is nothing to show.`,
    `Of ${apart.length} wrong changes whose mistake a part of the tests that is neither visible nor held out may notice alone, the held-out gate blocks ${share(apart.filter(({ heldOut }) => heldOut.exit !== 0).length, apart.length)}.`,
    `Judged twice: ${twice.length}; the same verdict and grade: ${share(agreeing.length, twice.length)}.`,
    verdicts(groups),
    libraries(judged),
    reasons(rights),
  ].join('\n\n');
}

function verdicts(groups) {
  const names = ['verified', 'verified_weak', 'not_verified', 'cant_tell', 'none'];
  return table(
    ["`ralph verify`'s verdict", ...groups.map(([name]) => name)],
    names.map((name) => [
      name,
      ...groups.map(([, list]) => list.filter(({ ralph }) => ralph.verdict === name).length),
    ]),
  );
}

function libraries(judged) {
  const names = [...new Set(judged.map(({ library }) => library))].toSorted();
  return table(
    ['library', 'right', 'blocked', 'wrong', 'blocked', 'seconds a change'],
    names.map((name) => {
      const of = (kind) => judged.filter((one) => one.library === name && one.kind === kind);
      const blocked = (kind) => of(kind).filter(WAYS['`ralph verify`']).length;
      const all = [...of('right'), ...of('wrong')];
      const seconds = all.reduce((sum, { ralph }) => sum + (ralph.ms ?? 0), 0) / 1000 / all.length;
      return [
        name,
        of('right').length,
        blocked('right'),
        of('wrong').length,
        blocked('wrong'),
        seconds.toFixed(0),
      ];
    }),
  );
}

/** Returns right changes that were blocked, with the first objection to each. */
function reasons(rights) {
  const lines = rights
    .filter(({ ralph }) => ralph.verdict !== 'verified')
    .map(({ id, ralph }) => `- ${id}: ${ralph.verdict}: ${ralph.remarks[0] ?? ralph.output}`);
  return ['Right changes without the verdict `verified`:', ...lines].join('\n');
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function share(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} % (${part})`;
}

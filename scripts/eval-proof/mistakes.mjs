// Makes wrong versions of a change: one line is different, or one hunk is missing.

/** Words and operators that are exchanged for each other, between blanks or at the ends of words. */
const EXCHANGED = [
  [' === ', ' !== '],
  [' == ', ' != '],
  [' <= ', ' < '],
  [' >= ', ' > '],
  [' and ', ' or '],
  [' && ', ' || '],
  [' + ', ' - '],
  [' += ', ' -= '],
  [' is None', ' is not None'],
  [' not in ', ' in '],
  ['null', 'undefined'],
  ['true', 'false'],
  ['True', 'False'],
].flatMap(([one, other]) => [
  [one, other],
  [other, one],
]);
const NUMBER = /(?<![\w.'"])\d+(?![\w.'"])/;
/** Matches the condition of a line, and what is around it. */
const CONDITIONS = [
  [/^(\s*(?:} else )?(?:if|while) \()(.+)(\) .*)$/, '!(', ')'],
  [/^(\s*(?:el)?if |\s*while )(.+)(:)$/, 'not (', ')'],
  [/^(\s*(?:} else )?if )([^(;:][^;:]*)( {)$/, '!(', ')'],
];
const COMMENT = /^\s*(?:#|\/\/|\*|\/\*|"""|import |from |package |})/;

/**
 * Returns the mistakes that a change of production code may have, each as the hunks of the wrong version.
 * @param {{ path: string, hunks: object[] }[]} files Changed files of production code.
 * @returns {{ name: string, kind: 'missing' | 'mutated', files: { path: string, hunks: object[] }[] }[]}
 */
export function mistakesIn(files) {
  const all = files.flatMap(({ path, hunks }) => hunks.map((hunk, index) => ({ path, hunk, index })));
  return all.flatMap((place) => [
    ...(all.length > 1 ? [mistake(files, place, [], 'missing', '')] : []),
    ...place.hunk.lines.flatMap((line, at) =>
      variantsOf(line).map((variant) =>
        mistake(
          files,
          place,
          [{ ...place.hunk, lines: place.hunk.lines.with(at, variant) }],
          'mutated',
          `${line.trim()} → ${variant.trim()}`,
        ),
      ),
    ),
  ]);
}

function mistake(files, { path, index }, instead, kind, what) {
  return {
    ...{ name: `${path} hunk ${index + 1} ${kind} ${what}`.trim(), kind },
    files: files.map((file) =>
      file.path === path ? { path, hunks: file.hunks.toSpliced(index, 1, ...instead) } : file,
    ),
  };
}

/** Returns the line with one small mistake, for each mistake that it may have. */
function variantsOf(line) {
  if (COMMENT.test(line)) return [];
  const exchanged = EXCHANGED.flatMap(([one, other]) =>
    isWordIn(line, one) && !line.includes(other) ? [line.replace(one, other)] : [],
  );
  const counted = NUMBER.test(line) ? [line.replace(NUMBER, (digits) => String(Number(digits) + 1))] : [];
  const negated = CONDITIONS.flatMap(([condition, before, after]) =>
    condition.test(line) ? [line.replace(condition, `$1${before}$2${after}$3`)] : [],
  );
  return [...exchanged, ...counted, ...negated.slice(0, 1)];
}

/** Whether a line has a word as a whole, or an operator between blanks. */
function isWordIn(line, word) {
  return /^\w/.test(word) ? new RegExp(`\\b${word}\\b`).test(line) : line.includes(word);
}

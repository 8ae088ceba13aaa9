import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { onOneLine, pathText } from 'ralph-kit/text';
import type { VerifyResult } from '../../../app/commands/verify.ts';
import { type Remark, VERDICT_WORDS } from '../../../domain/verification.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import { mutantsText } from '../../../tell/index.ts';

/** Returns a text such as "feature since main (2 files, proof: tests, 12 s)". */
export function subjectText({ what, files, grade, mutants, duration_ms }: VerifyResult): string {
  const tried = mutants === null || mutants.tried === 0 ? [] : [mutantsText({ ...mutants, leftOut: 0 })];
  const parts = [counted(files, 'file'), `proof: ${grade}`, ...tried, formatDuration(duration_ms)];
  return `${onOneLine(what)} (${parts.join(', ')})`;
}

/** Returns a place such as "src/a.js:3"; '': the remark has none, or its text already names the path. */
export function placeText({ path, line, text }: Pick<Remark, 'path' | 'line' | 'text'>): string {
  if (path === null || text.includes(path)) return '';
  return pathText(line === null ? path : `${path}:${line}`);
}

function receiptText({ file, note, key }: NonNullable<VerifyResult['receipt']>): string {
  const places = [file === null ? '' : pathText(file), note === null ? '' : `a note in ${note}`];
  return `receipt, signed with ${key}: ${places.filter(Boolean).join(', ')}`;
}

/** Returns the verdict and its reasons, the most serious first. */
export function verifyText(result: VerifyResult, { style, para }: Terminal): string {
  const { verdict, remarks, receipt } = result;
  const tone = {
    verified: style.green,
    verified_weak: style.green,
    not_verified: style.red,
    cant_tell: style.yellow,
  };
  const mark = { error: style.red('✖'), warning: style.yellow('!'), note: style.dim('·') };
  const lines = remarks.flatMap((remark) => {
    const place = placeText(remark);
    return [
      para(onOneLine(remark.text) + (place === '' ? '' : ` (${place})`), `${mark[remark.level]} `, '  '),
      ...remark.excerpt.map((line) => style.red(para(line, '    ', '      '))),
    ];
  });
  return [
    para(`${style.bold(tone[verdict](VERDICT_WORDS[verdict]))}: ${subjectText(result)}`),
    ...lines,
    ...(receipt === null ? [] : [para(receiptText(receipt), `${style.dim('·')} `, '  ')]),
  ].join('\n');
}

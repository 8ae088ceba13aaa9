import { cutMarkdown, fenced, inlineCode, plainMarkdown } from 'ralph-kit/markdown';
import type { VerifyResult } from '../../../app/commands/verify.ts';
import { VERDICT_WORDS } from '../../../domain/verification.ts';
import { words } from '../../../tell/index.ts';
import { placeText, subjectText } from './text.ts';

/** Maximum number of characters of a comment. Code hosts accept slightly more. */
const LONGEST = 60_000;
const LEVELS = { error: 'counts', warning: 'check', note: 'note' } as const;

/** Returns a comment for a pull request. Content of the repository is shown as plain text or code, never as markup. */
export function verifyMarkdown(result: VerifyResult): string {
  const { verdict, remarks, gates } = result;
  const items = remarks.map((remark) => {
    const place = placeText(remark);
    const excerpt = remark.excerpt.length === 0 ? '' : `\n\n${indented(fenced(remark.excerpt.join('\n')))}`;
    const text = `${plainMarkdown(remark.text)}${place === '' ? '' : ` (${inlineCode(place)})`}`;
    return `- **${LEVELS[remark.level]}**: ${text}${excerpt}`;
  });
  const rows = gates.map(
    ({ name, before, after, standing: status }) =>
      `| ${plainMarkdown(name)} | ${words(before ?? 'not run')} | ${words(after)} | ${words(status)} |`,
  );
  const table =
    rows.length === 0
      ? []
      : [['| gate | before | with the work | so it |', '|---|---|---|---|', ...rows].join('\n')];
  const parts = [
    `### ralph verify: ${VERDICT_WORDS[verdict]}`,
    plainMarkdown(subjectText(result)),
    items.join('\n'),
    ...table,
  ];
  return `${cutMarkdown(parts.filter(Boolean).join('\n\n'), LONGEST)}\n`;
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

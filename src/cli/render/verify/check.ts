import { onOneLine } from 'ralph-kit/text';
import type { CheckReceiptResult } from '../../../app/commands/check-receipt.ts';
import { VERDICT_WORDS } from '../../../domain/verification.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import { words } from '../../../tell/index.ts';

export function checkText(result: CheckReceiptResult, { style, para }: Terminal): string {
  const { against, signers, receipt } = result;
  if (receipt === null) {
    const reasons = against.map((text) => para(onOneLine(text), `${style.red('✖')} `, '  '));
    return [para(`${style.bold(style.red('refused'))}: this receipt shows nothing`), ...reasons].join('\n');
  }
  const { verdict, head, base, grade, issued_at, ralph, gates, asked_for } = receipt;
  const title = asked_for.title === '' ? 'nothing but gates and tests' : `"${asked_for.title}"`;
  const range = `${head.slice(0, 10)} since ${base.slice(0, 10)}`;
  const lines = [
    ...signers.map(({ signer, key }) => `signed by ${signer} (${key})`),
    `made by ralph ${ralph} at ${issued_at}; asked for: ${title}`,
    ...gates.map(({ name, run, standing: status }) => `gate "${name}" (${run}): ${words(status)}`),
  ];
  return [
    para(`${style.bold('holds')}: ${VERDICT_WORDS[verdict]}: ${range} (proof: ${grade})`),
    ...lines.map((text) => para(onOneLine(text), `${style.dim('·')} `, '  ')),
  ].join('\n');
}

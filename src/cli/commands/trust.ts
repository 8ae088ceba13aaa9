import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { TrustJournalResult, TrustResult } from '../../app/commands/trust.ts';
import { FORGED, TRUST_INDENT } from '../../app/setup/trust/trust-text.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { dateTime } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  trust: ['trust', 'trust --list'],
};

export function define(program: Command): void {
  program
    .command('trust')
    .option('--list', 'only show them, and what was accepted')
    .option('--revoke', 'take back everything that was accepted here')
    .option('--journal', "accept a journal whose key isn't here: for example after a move to another machine")
    .action(actionOf(run, ({ list }) => list !== true));
}

export async function run(
  call: Call,
  options: { readonly list?: boolean; readonly revoke?: boolean; readonly journal?: boolean },
) {
  const { trust, trustJournal } = await import('../../app/commands/trust.ts');
  const { list = false, revoke = false, journal = false } = options;
  if (journal) {
    await call.print(await trustJournal(call), trustJournalText);
    return;
  }
  await call.print(await trust({ ...call, action: revoke ? 'revoke' : list ? 'list' : 'accept' }), trustText);
}

export function trustJournalText({ accepted }: TrustJournalResult, { style }: Terminal): string {
  if (accepted === null) return 'Every journal here is verified: there is nothing to accept.';
  const what = `${counted(accepted.records, 'record')}, ${counted(accepted.done, 'done task')}`;
  return style.green(`Accepted: ${what}. Next: ralph status`);
}

export function trustText(data: TrustResult, { style, verbatim }: Terminal): string {
  const items = data.lines.map((line) => verbatim(line, TRUST_INDENT));
  const lines = items.length > 0 ? ['This repository runs:', ...items] : [];
  if (data.isForged) lines.push('', FORGED);
  if (data.action === 'revoke') {
    lines.push('', 'Nothing is accepted any more; the next run asks.');
  } else if (data.state === 'nothing_runs' && data.was !== 'untrusted') {
    lines.push('This repository names no command and no prompt template: there is nothing to accept.');
  } else if (data.state === 'untrusted') {
    lines.push('', `${style.yellow('Not accepted.')} ralph trust accepts exactly this.`);
  } else {
    lines.push('', style.green(data.was === 'untrusted' ? 'Accepted. Next: ralph run' : 'Already accepted.'));
  }
  if (data.action === 'list' && data.accepted.length > 0) {
    lines.push('', 'Accepted so far:');
    for (const { at, sha256 } of data.accepted) {
      const current = sha256 === data.sha256 ? '  (as it is now)' : '';
      lines.push(`  ${dateTime(at)}  ${sha256.slice(0, 12)}${current}`);
    }
  }
  return lines.join('\n');
}

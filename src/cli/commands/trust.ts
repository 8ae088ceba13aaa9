import { type TrustJournalResult, type TrustResult, trust, trustJournal } from '../../app/commands/trust.ts';
import { FORGED, TRUST_INDENT } from '../../app/setup/check-trust.ts';
import { dateTime, type Terminal } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import type { Call } from '../call.ts';

export async function run(
  call: Call,
  options: { readonly list?: boolean; readonly revoke?: boolean; readonly journal?: boolean },
) {
  const { list = false, revoke = false, journal = false } = options;
  if (journal) {
    await call.print(await trustJournal(call), trustJournalText);
    return;
  }
  await call.print(await trust({ ...call, action: revoke ? 'revoke' : list ? 'list' : 'accept' }), trustText);
}

/** `ralph trust --journal`. */
export function trustJournalText({ accepted }: TrustJournalResult, { style }: Terminal): string {
  if (accepted === null) return 'Every journal here is verified: there is nothing to accept.';
  const what = `${counted(accepted.records, 'record')}, ${counted(accepted.done, 'done task')}`;
  return style.green(`Accepted: ${what}. Next: ralph status`);
}

/** `ralph trust`: what runs, and whether it is accepted now. */
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

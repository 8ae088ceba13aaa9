import {
  type WhitelistInput,
  type WhitelistResult,
  whitelist,
} from '../../../app/commands/human/whitelist.ts';
import { dateTime, type Terminal } from '../../../io/ui/index.ts';
import type { Call } from '../../call.ts';

export async function run(
  call: Call,
  action: WhitelistInput['action'],
  what: string | null = null,
  options: Partial<WhitelistInput> = {},
) {
  const { path = null, reason = null } = options;
  await call.print(await whitelist({ ...call, action, what, path, reason }), whitelistText);
}

/** `ralph whitelist` */
export function whitelistText(data: WhitelistResult, { style, table }: Terminal): string {
  if (data.action === 'add') {
    const where = data.path ?? 'every file';
    return `${style.green('✔')} ${data.pattern} is allowed in ${where} until ${dateTime(data.expires_at)}.`;
  }
  if (data.action === 'remove') return `${style.green('✔')} ${data.id} is removed.`;
  if (data.entries.length === 0) return 'The whitelist is empty.';
  const rows = data.entries.map(({ id, pattern, path, expires_at, expired, justification }) => [
    id,
    pattern,
    path ?? 'everywhere',
    expired ? 'expired' : dateTime(expires_at),
    justification,
  ]);
  return table(rows, ['id', 'finding', 'where', 'until', 'why']);
}

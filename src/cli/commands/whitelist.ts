import { Argument, type Command } from 'commander';
import type { WhitelistInput, WhitelistResult } from '../../app/commands/human/whitelist.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { dateTime } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  whitelist: ['whitelist', 'whitelist add test_skip --path test/slow.test.ts --reason "Runs nightly"'],
};

export function define(program: Command): void {
  program
    .command('whitelist')
    .addArgument(
      new Argument('[action]', 'list the entries, add one, remove one')
        .choices(['list', 'add', 'remove'])
        .default('list'),
    )
    .argument('[what]', 'to add: a kind of finding, such as test_skip; to remove: W-3')
    .option('--path <file>', 'in this file only; by default everywhere')
    .option('--reason <text>', 'why')
    .action(actionOf(run, (action) => action !== 'list'));
}

export async function run(
  call: Call,
  action: WhitelistInput['action'],
  what: string | null = null,
  options: Partial<WhitelistInput> = {},
) {
  const { whitelist } = await import('../../app/commands/human/whitelist.ts');
  const { path = null, reason = null } = options;
  await call.print(await whitelist({ ...call, action, what, path, reason }), whitelistText);
}

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

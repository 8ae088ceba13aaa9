import type { Command } from 'commander';
import { known } from '../../app/commands/known.ts';
import { onOneLine, shortened } from '../../lib/text.ts';
import type { Call } from '../call.ts';
import { complete } from '../completion/complete.ts';
import { SCRIPTS, type Shell } from '../completion/scripts.ts';

export type CompletionCall =
  | { readonly action: 'script'; readonly shell: Shell }
  | { readonly action: 'reply'; readonly words: readonly string[]; readonly program: Command };

/** `ralph completion bash`, and what its script asks for at each press of the key. */
export async function run(call: Call, given: CompletionCall): Promise<void> {
  if (given.action === 'script') process.stdout.write(SCRIPTS[given.shell]);
  else process.stdout.write(await reply(call, given.program, given.words));
}

/** What a shell passes on as it is. */
const PLAIN = /^[\w@%+,./][\w@%+,./-]*$/;
const ABOUT_LENGTH = 60;

/** `files` or `words`, then each candidate on a line of its own, a tab before what it is. */
async function reply(call: Call, program: Command, words: readonly string[]): Promise<string> {
  const { words: fixed, known: kind, files, typed, before } = complete(program, words);
  // What can't be read completes nothing: a command line that is being typed is no place for messages.
  const found = kind === null ? null : await known({ ...call, onNotice: () => undefined }, kind);
  const names = found?.ok === true ? found.data.names : [];
  const candidates = [
    ...fixed,
    ...names
      .filter(({ name }) => PLAIN.test(name) && !words.slice(0, -1).includes(name))
      .map(({ name, about }) => ({ value: name, about })),
  ].filter(({ value }) => value.startsWith(typed));
  const lines = candidates.map(({ value, about }) => {
    const what = shortened(onOneLine(about), ABOUT_LENGTH).trim();
    return `${before}${value}${what === '' ? '' : `\t${what}`}`;
  });
  return [files ? 'files' : 'words', ...lines, ''].join('\n');
}

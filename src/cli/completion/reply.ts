import type { Command } from 'commander';
import { onOneLine, shortened } from 'ralph-kit/text';
import { known } from '../../app/commands/known.ts';
import type { Call } from '../call.ts';
import { complete } from './complete.ts';

/** Matches words that a shell passes on without quotes. */
const PLAIN = /^[\w@%+,./][\w@%+,./-]*$/;
const ABOUT_LENGTH = 60;

/** Returns the line `files` or `words`, then a line for each candidate: value, tab, description. */
export async function reply(call: Call, program: Command, words: readonly string[]): Promise<string> {
  const { words: fixed, known: kind, files, typed, before } = complete(program, words);
  // Messages would disturb the command line that you type, so unreadable records just complete nothing.
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

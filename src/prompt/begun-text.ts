import { bullets, inlineCode } from 'ralph-kit/markdown';
import { firstFew, pathText } from 'ralph-kit/text';
import type { BegunBefore } from '../domain/records/begun.ts';

const HOW: Readonly<Record<BegunBefore['how'], string>> = {
  cut_off: 'was cut off before it ended, as by a kill or a restart of the machine',
  stopped: 'was stopped by the user before it ended',
  outside: 'was ended from outside, by a limit or an outage',
};

const NAMED = 5;

/** Returns a text for an agent that finds files of an unjudged attempt; '' if there are none. */
export function begunText(begun: BegunBefore | null): string {
  if (begun === null) return '';
  const { how, iterations, files, more } = begun;
  const one = iterations.length === 1;
  const attempts = one ? 'An attempt' : `${iterations.length} attempts`;
  const which = `iteration${one ? '' : 's'} ${firstFew(iterations.map(String), NAMED)}`;
  const ended = one ? HOW[how] : HOW[how].replaceAll('was', 'were').replace('it ended', 'they ended');
  const counted = `${attempts} at this task (${which}) ${ended}. ${one ? 'It uses' : 'They use'} up no attempt of yours, but the task may have been begun.`;
  const listed = files.map(({ path, change }) => `${inlineCode(pathText(path))}${changeText(change)}`);
  const there =
    listed.length === 0
      ? 'Nothing of it is in the files; it may have had effects elsewhere.'
      : `What the task's attempts changed and is in the files now:\n\n${bullets([...listed, ...(more > 0 ? [`and ${more} more`] : [])])}`;
  return [
    `**NOTE**: ${counted}`,
    there,
    'Read what is there before you write, append or run anything: continue from it, and do nothing a second time.',
  ].join('\n\n');
}

function changeText(change: BegunBefore['files'][number]['change']): string {
  if (change === null) return '';
  const { kind, added, removed } = change;
  return ` (${kind.replaceAll('_', ' ')}, +${added} −${removed})`;
}

import { AGENT_SETTINGS } from 'ralph-agents/known';
import { MOST_PATHS } from 'ralph-kit/actions/action';
import { match } from 'ralph-kit/match';
import { denyEffects } from '../../rule.ts';
import { LOOP_FOLDER } from '../../settings-places.ts';

const DELETING =
  /(?:^|[^\w-])(?:rm|rmdir|unlink|shred|truncate|rimraf|rmtree|rmSync|srm|trash(?:-put)?|wipefs|mkfs(?:\.\w+)?)(?![\w-])|-delete\b|\bof=|\bclean\s+-|\bworktree\s+remove\b|--remove-|--delete/;
/** Characters of a text that are searched; a longer one counts as suspicious. */
const LONGEST_SEARCHED = 65_536;
const NAMES = [LOOP_FOLDER, ...AGENT_SETTINGS.folders, ...AGENT_SETTINGS.home, ...AGENT_SETTINGS.files];
const PROTECTED = new RegExp(
  `(?:^|[^\\w.-])(?:${NAMES.map((name) => name.replaceAll('.', '\\.')).join('|')})(?![\\w-])`,
  'i',
);

/** Denies text that can't be followed to its end, if it mentions deletion or settings or exceeds the budget. */
export const unparsed = denyEffects(
  {
    name: 'unparsed',
    essential: true,
    finds: "Can't be followed to its end: it is too long, too deep, or no shell command.",
    instead: 'Write it more simply, one step in a call.',
  },
  (effect) => {
    if (effect.kind !== 'unfollowed') return null;
    return match(effect, 'why', {
      spent: () =>
        'The command is too long or too deep to be followed to its end. Write it more simply, one step in a call.',
      too_many_paths: () =>
        `More than ${MOST_PATHS} paths in a call are too many to be analysed. Split it into several.`,
      too_long: (effect) => {
        const advice =
          'The command is too long to be analysed: write files with your file tool and run what deletes in a call of its own.';
        return suspicious(effect.text, advice) ?? { reason: advice, harmless: true };
      },
      no_shell: (effect) =>
        suspicious(
          effect.text,
          'The command cannot be read as a shell command: write it more simply, one step in a call.',
        ),
    });
  },
);

function suspicious(text: string, advice: string): string | null {
  if (text.length > LONGEST_SEARCHED) return advice;
  const plain = text.replace(/['"\\]/g, '');
  const found = DELETING.exec(plain) ?? PROTECTED.exec(plain);
  return found === null
    ? null
    : `"${found[0].trim()}" stands in a command whose effect is not certain. ${advice}`;
}

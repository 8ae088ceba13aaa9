import { type Denial, deny } from './denial.ts';

const DELETING =
  /(?:^|[^\w-])(?:rm|rmdir|unlink|shred|truncate|rimraf|rmtree|rmSync|srm|trash(?:-put)?|wipefs|mkfs(?:\.\w+)?)(?![\w-])|-delete\b|\bof=|\bclean\s+-|\bworktree\s+remove\b|--remove-|--delete/;
const PROTECTED =
  /(?:^|[^\w.-])\.(?:ralph|claude|codex|gemini|qwen|opencode|cursor|amp|pi|copilot)(?![\w-])|\.github\/(?:copilot|hooks)|\bopencode\.jsonc?\b|\.mcp\.json\b|\.config\/(?:opencode|amp|github-copilot)\b/i;

/** What comes of a command that goes on for longer than a review may take, whatever it speaks of. */
export function judgeSpent(): Denial {
  return deny(
    'unparsed',
    'The command is too long or too deep to be followed to its end. Write it more simply, one step in a call.',
  );
}

/** What comes of a command that cannot be analysed, or not to its end. */
export function judgeUnparsed(text: string, why: 'too long' | 'no shell'): Denial | null {
  const plain = text.replace(/['"\\]/g, '');
  const found = DELETING.exec(plain) ?? PROTECTED.exec(plain);
  if (found === null) return null;
  const advice =
    why === 'too long'
      ? 'The command is too long to be analysed: write files with your file tool and run what deletes in a call of its own.'
      : 'The command cannot be read as a shell command: write it more simply, one step in a call.';
  return deny('unparsed', `"${found[0].trim()}" stands in a command whose effect is not certain. ${advice}`);
}

import { resolve } from 'node:path';
import { didYouMean } from 'ralph-kit/nearest';
import { stripControl } from 'ralph-kit/text';
import { viewIssue } from '../../../io/tracker/gh.ts';
import { accessCommand, lstatOrNull, readFileBytes, whyUnreadable } from '../../../store/index.ts';
import { type Failure, failure } from '../../result.ts';

/** Maximum number of characters of an idea. A longer text is too much for one list. */
const LONGEST = 60_000;

type Idea = { readonly ok: true; readonly idea: string };

const ISSUE = /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/issues\/\d{1,9}$/;

/** Reads typed words, a file that a single word names, or a GitHub issue by `gh`. `cwd` is absolute. */
export async function readIdea(words: readonly string[], cwd: string): Promise<Idea | Failure> {
  const [only = ''] = words;
  const text = words.join(' ').trim();
  if (text === '') return failure('What should be planned?', 'ralph plan --help');
  if (words.length > 1) return asIdea(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(only)) return fromIssue(only, cwd);
  // A mistyped subcommand isn't an idea, so the likely subcommand is suggested.
  const near = didYouMean(only, ['list', 'accept', 'drop']);
  if (near !== '') return failure(`There is no ralph plan ${only}.${near}`, 'ralph plan --help');
  const path = resolve(cwd, only);
  if (lstatOrNull(path) === null)
    return /^\S*\.(?:md|txt|markdown)$/i.test(only)
      ? failure(`There is no file ${only}.`, 'ralph plan --help')
      : asIdea(text);
  try {
    return asIdea(readFileBytes(path).toString('utf8'));
  } catch (error) {
    return failure(
      `${only} can't be read: ${whyUnreadable(error)}.`,
      accessCommand(path, 'read') ?? 'ralph plan --help',
    );
  }
}

async function fromIssue(url: string, cwd: string): Promise<Idea | Failure> {
  if (!ISSUE.test(url))
    return failure(
      `${url} isn't an issue on GitHub: https://github.com/OWNER/NAME/issues/NUMBER.`,
      'Save what it says to a file, and name that',
    );
  const issue = await viewIssue(cwd, url);
  return issue.kind === 'ok'
    ? asIdea(`${issue.value.title}\n\n${issue.value.body}`)
    : failure(`${issue.message}.`, 'gh auth status');
}

function asIdea(text: string): Idea | Failure {
  const idea = stripControl(text).trim();
  if (idea === '') return failure('There is nothing in it to plan.', 'ralph plan --help');
  return idea.length > LONGEST
    ? failure(`It has more than ${LONGEST} characters.`, 'Plan a part of it at a time.')
    : { ok: true, idea };
}

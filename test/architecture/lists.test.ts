import { CONVERT_FORMATS } from 'ralph-kit/convert-formats';
import { TRACKER_KINDS, trackerPlaces } from 'ralph-task-lists';
import { expect, it } from 'vitest';
import { modulesNaming } from '../helpers/source-files.ts';

/** Names of syntaxes, which many files have that aren't lists. */
const SYNTAXES: readonly string[] = ['markdown', 'json', 'yaml', 'jsonl'];

/** Names of tools, and of the folders and files in which they keep their lists. */
const TOOLS = [
  ...[...TRACKER_KINDS, ...CONVERT_FORMATS].filter((name) => !SYNTAXES.includes(name)),
  ...trackerPlaces('auto').flatMap((place) => place.split('/')[0]?.replace(/^\./, '') ?? []),
  ...['beads', 'fix_plan', 'openspec', 'kiro', 'spec-kit', 'superpowers', 'prd.json', 'issues.jsonl'],
].filter((name) => !['docs', 'specs', 'tasks', 'github'].includes(name));

/** GitHub is more than issues: hosts and folders of its name have nothing to do with lists. */
const GITHUB = String.raw`(?<![\w./@-])["']?github["']?(?![\w./-]| token|\.com| nor)|GitHub issues?\b`;

const NAMES = new RegExp(
  [...new Set(TOOLS)]
    .map((name) => `(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`)
    .concat(GITHUB)
    .join('|'),
  'i',
);

const GOLD = "keys of ralph-gold's settings, by their own names";
const HELP = 'an example of a command line, in its help';

/** Files that name a format of lists, or the tool that writes it, and why the format doesn't say it. */
const NAMING: Readonly<Record<string, string>> = {
  '../packages/actions/src/effects/network/hosts.ts': 'hosts that serve packages and sources',
  '../packages/kit/src/convert-formats.ts':
    'the formats that a list is converted to, which the command line reads without the package of lists',
  '../packages/kit/src/secrets/token-forms.ts': 'forms of tokens, one of which Linear gives',
  'app/commands/plan/draft.ts': 'an issue is read as an idea, whatever the list is',
  'app/setup/init/config-text.ts': 'examples of names, in the settings that init writes',
  'app/setup/init/find-lists.ts':
    'names of files that people give their own lists, in no format in particular',
  'cli/commands/plan.ts': 'an issue is read as an idea, whatever the list is',
  'cli/commands/tasks.ts': HELP,
  'config/ralph-gold-ignored.ts': GOLD,
  'config/ralph-gold-keys.ts': GOLD,
  'io/code-host/code-host.ts': 'where pull requests are opened, by the name of the host',
};

it('what is known of a format of lists stands in its package', () => {
  expect(modulesNaming(NAMES, 'task-lists')).toEqual(Object.keys(NAMING).toSorted());
});

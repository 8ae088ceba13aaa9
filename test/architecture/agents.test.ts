import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_OUTPUTS, AGENTS } from 'ralph-agents/known';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Names of agents, of their formats, and of their folders. */
const NAMES = new RegExp(
  // `pi` is a word of its own.
  [
    ...Object.keys(AGENTS).filter((name) => name.length > 2),
    ...AGENT_OUTPUTS.slice(1),
    ...Object.values(AGENTS).flatMap(({ folders }) => folders),
  ]
    .map((name) => `(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`)
    .join('|'),
  'i',
);

const STREAM = "the scripted agent prints claude's stream, which the adapter of claude reads";
const EXAMPLE = 'an example of a command line, in its help';

/** Files that name an agent, and why no member of its adapter says it. */
const NAMING: Readonly<Record<string, string>> = {
  '../packages/actions/src/effects/credentials.ts': 'files with keys, of whatever program',
  '../packages/ecosystems/src/file-role.ts': 'files that instruct an agent, also of those without an adapter',
  'app/demo/adapter.ts': STREAM,
  'app/demo/main.ts': STREAM,
  'app/eval/fixture.ts': STREAM,
  'app/setup/demo-files.ts': STREAM,
  'app/setup/first-night-files.ts': STREAM,
  'app/setup/init/config-text.ts': 'an example in the settings that init writes',
  'cli/commands/hook.ts': EXAMPLE,
  'cli/commands/init.ts': EXAMPLE,
  'cli/commands/profile.ts': EXAMPLE,
  'cli/commands/review/hook.ts': EXAMPLE,
  'cli/commands/run.ts': EXAMPLE,
  'domain/scenario.ts': STREAM,
};

/** Text without the lines that are comments. */
function codeOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/\*|\*)/.test(line))
    .join('\n');
}

it('what is known of an agent stands in its adapter', () => {
  const naming = sourceFiles()
    .filter((path) => !path.startsWith('../packages/agents/'))
    .filter((path) => NAMES.test(codeOf(readFileSync(join(SRC, path), 'utf8'))));
  expect(naming.toSorted()).toEqual(Object.keys(NAMING).toSorted());
});

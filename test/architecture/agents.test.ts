import { AGENT_OUTPUTS, AGENTS } from 'ralph-agents/known';
import { expect, it } from 'vitest';
import { modulesNaming } from '../helpers/source-files.ts';

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

it('what is known of an agent stands in its adapter', () => {
  expect(modulesNaming(NAMES, 'agents')).toEqual(Object.keys(NAMING).toSorted());
});

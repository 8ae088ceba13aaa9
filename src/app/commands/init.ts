import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BUILT_IN_AGENTS } from '../../domain/agents.ts';
import { systemClock } from '../../io/clock.ts';
import { openGit } from '../../io/git/index.ts';
import { lstatOrNull, moveInto, readFileBytes, readPlainFile, replaceFile } from '../../io/store/index.ts';
import { parseTracker, trackerCandidates, trackerReader } from '../../tasks/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import { acceptTrust, checkTrust } from '../setup/check-trust.ts';
import { installedAgents } from '../setup/choose-agent.ts';
import { IGNORE_RULES } from '../setup/ignore-rules.ts';
import { loadConfigFiles } from '../setup/load-config.ts';
import type { ProjectInput } from '../setup/project.ts';
import { stateHomeOf } from '../setup/state-home.ts';

export type InitInput = ProjectInput & { readonly force: boolean; readonly agent: string | null };

export type InitResult = DataOf<typeof init>;

/**
 * `ralph init`: writes `.ralph/` with what it finds (agents, test commands, tracker). Files that are there stay,
 * unless `--force`, which puts them aside first.
 */
export async function init(input: InitInput) {
  const opened = await openGit({ root: input.cwd });
  if (!opened.ok) return failure(opened.message, 'git init');
  const root = opened.top;
  const folder = join(root, '.ralph');
  const agents = installedAgents(root);
  const gates = detectGates(root);
  const tracker = await detectTracker(root);
  const agent = input.agent ?? 'auto';
  const files: readonly { path: string; content: string }[] = [
    { path: 'ralph.toml', content: configText(agent, gates) },
    ...(tracker === null ? [{ path: 'PRD.md', content: PRD }] : []),
    { path: '.gitignore', content: IGNORE_RULES },
  ];
  const archive = join('archive', `init-${systemClock().now().replace(/[-:]/g, '').slice(0, 15)}`);
  const written: string[] = [];
  const kept: string[] = [];
  const archived: string[] = [];
  try {
    for (const { path, content } of files) {
      const target = join(folder, path);
      if (lstatOrNull(target) !== null) {
        const now = readPlainFile(target);
        if (!input.force || (now.kind === 'file' && now.bytes.toString('utf8') === content)) {
          kept.push(`.ralph/${path}`);
          continue;
        }
        const away = join(archive, path.replace(/^\./, ''));
        moveInto(join(folder, archive), target, basename(away));
        archived.push(`.ralph/${away}`);
      }
      replaceFile(target, content, { folderMode: 0o777 });
      written.push(`.ralph/${path}`);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure(
      `.ralph/ cannot be written: ${reason}`,
      'Check the permissions and the disk, then try again.',
      1,
    );
  }
  if (written.includes('.ralph/ralph.toml')) acceptOwn(root, opened.commonDir);
  return success({
    root,
    written,
    kept,
    archived,
    tracker: tracker ?? '.ralph/PRD.md',
    agents,
    gates: gates.map(({ run }) => run),
  });
}

/**
 * You asked for the gates that were just written, so no run has to ask again. Anything else that would run (a
 * template or scenario that lay there before) stays to be accepted.
 */
function acceptOwn(root: string, commonDir: string): void {
  const loaded = loadConfigFiles({ root, env: process.env, flags: {} });
  if (!loaded.ok) return;
  const stateHome = stateHomeOf(commonDir);
  const check = checkTrust({ root, stateHome, config: loaded.config, entries: loaded.entries() });
  if (check.kind !== 'untrusted' || check.items.some(({ kind }) => kind !== 'gate')) return;
  try {
    acceptTrust(stateHome, check);
  } catch {
    // Then the first run asks.
  }
}

/** The first candidate that holds tasks. */
async function detectTracker(root: string): Promise<string | null> {
  for (const path of trackerCandidates('auto')) {
    const file = join(root, path);
    if (!existsSync(file)) continue;
    const text = readFileBytes(file).toString('utf8');
    const parsed = parseTracker(text, path, await trackerReader(text, path, 'auto'), []);
    if (parsed.ok && parsed.tasks.length > 0) return path;
  }
  return null;
}

type FoundGate = { readonly name: string; readonly run: string };

/** Scripts of a package.json that check something, in the order in which they are run. */
const NPM_GATES = ['lint', 'typecheck', 'types', 'test'];
const NPM_DEFAULT_TEST = 'no test specified';

/** Check commands that a project of this kind has, by the files it has. */
function detectGates(root: string): FoundGate[] {
  const has = (path: string) => existsSync(join(root, path));
  if (has('package.json')) {
    try {
      const scripts =
        (JSON.parse(readFileBytes(join(root, 'package.json')).toString('utf8')) as PackageJson).scripts ?? {};
      return NPM_GATES.filter((name) => {
        const script = scripts[name];
        return typeof script === 'string' && !script.includes(NPM_DEFAULT_TEST);
      }).map((name) => ({ name, run: name === 'test' ? 'npm test' : `npm run ${name}` }));
    } catch {
      return [];
    }
  }
  if (has('Cargo.toml')) return [{ name: 'test', run: 'cargo test' }];
  if (has('go.mod')) return [{ name: 'test', run: 'go test ./...' }];
  if (has('pyproject.toml') || has('pytest.ini') || has('setup.cfg'))
    return [{ name: 'test', run: 'pytest -q' }];
  if (has('Gemfile') && has('spec')) return [{ name: 'test', run: 'bundle exec rspec' }];
  if (has('mix.exs')) return [{ name: 'test', run: 'mix test' }];
  if (has('pom.xml')) return [{ name: 'test', run: 'mvn -q test' }];
  return [];
}

type PackageJson = { readonly scripts?: Readonly<Record<string, unknown>> };

function configText(agent: string, gates: readonly FoundGate[]): string {
  const commands =
    gates.length === 0
      ? '# Commands that must pass before a task counts as done, for example:\n# commands = ["npm test"]\ncommands = []'
      : `commands = [\n${gates.map(({ name, run }) => `  { name = ${JSON.stringify(name)}, run = ${JSON.stringify(run)} },`).join('\n')}\n]`;
  return `# Configuration of ralph. Every key is optional; docs/CONFIGURATION.md of ralph lists them all.

[loop]
# "auto" takes the first of ${BUILT_IN_AGENTS.join(', ')} that is installed.
agent = ${JSON.stringify(agent)}
# speed: 120 s an attempt, quality: 300 s, exploration: 600 s.
mode = "speed"
# Agents that work while the first one is not available, such as after a usage limit.
# fallback = ["codex"]
# How long a run waits for an agent that is not available.
# max_wait = "6h"

[gates]
${commands}

[git]
# Commits the files of a task once it is verified. "never" leaves that to you.
commit = "on_done"

[review]
# Starts no agent that cannot be made to ask before it acts.
# require_gate = true
`;
}

const PRD = `# What to build

Say here in a few sentences what this is about. Each box below is a task; bullets under it say when it is done.

## Tasks

- [ ] Replace this line with your first task
  - and this one with how you will know that it is done
`;

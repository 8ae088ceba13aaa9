import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '../../config/index.ts';
import type { Config } from '../../domain/config.ts';
import { findWorkTree } from '../../io/git/index.ts';
import { checkTrust } from '../setup/check-trust.ts';
import { loadConfigFiles } from '../setup/load-config.ts';
import { stateHomeOf } from '../setup/state-home.ts';
import type { ConfigFacts, DoctorFacts } from './facts.ts';
import { gatherAgents } from './gather-agents.ts';
import { gatherGates } from './gather-gates.ts';
import { gatherGit } from './gather-git.ts';
import { gatherMachine } from './gather-machine.ts';
import { gatherRalphGold } from './gather-ralph-gold.ts';
import { gatherStore, quietly } from './gather-store.ts';
import { gatherTracker } from './gather-tracker.ts';

/** Looks at everything and changes nothing; what is broken becomes a fact. `folder` is a real, absolute path. */
export async function gather(folder: string, flags: Readonly<Record<string, unknown>>): Promise<DoctorFacts> {
  const git = await gatherGit(folder);
  const found = quietly(() => findWorkTree(folder, process.env), null);
  const root = git.facts.repository?.top ?? found?.top ?? folderWithRalph(folder);
  const commonDir = git.commonDir ?? found?.commonDir ?? null;
  const stateHome = commonDir === null ? null : quietly(() => stateHomeOf(commonDir), null);
  const { config, facts: configFacts } = gatherConfig(root, flags);
  const { facts: store, state } = gatherStore(root, stateHome);
  const usable = configFacts.problems.length === 0;
  const trust =
    stateHome === null || !usable
      ? null
      : checkTrust({ root, stateHome, config, entries: configFacts.entries });
  return {
    machine: gatherMachine(),
    git: git.facts,
    config: configFacts,
    tracker: usable ? await gatherTracker(root, config, state) : null,
    agents: await gatherAgents(root, config),
    gates: gatherGates(root, config),
    trust:
      trust === null
        ? null
        : {
            kind: trust.kind,
            items: trust.items,
            byEnvironment: /^(1|true|yes|on)$/i.test(process.env.RALPH_TRUST ?? ''),
          },
    store,
    ralphGold: gatherRalphGold(root, config, state, store.journal.kind === 'absent' ? 'absent' : 'present'),
  };
}

/** With mistakes in it, the rest is looked at as if nothing was configured. */
function gatherConfig(
  root: string,
  flags: Readonly<Record<string, unknown>>,
): { config: Config; facts: ConfigFacts } {
  const loaded = loadConfigFiles({ root, env: process.env, flags });
  const projectFile = existsSync(join(root, '.ralph', 'ralph.toml'));
  const config = loaded.ok ? loaded.config : builtIn();
  return {
    config,
    facts: {
      problems: loaded.ok ? [] : loaded.problems,
      warnings: loaded.ok ? loaded.warnings : [],
      entries: loaded.ok ? loaded.entries() : [],
      projectFile,
      commits: config.git.commit !== 'never',
    },
  };
}

function builtIn(): Config {
  const loaded = loadConfig({ userToml: null, projectToml: null, env: {}, flags: {} });
  if (!loaded.ok) throw new Error('the built-in configuration has a mistake');
  return loaded.config;
}

/** Without git: the nearest folder above that looks like a project, else the folder itself. */
function folderWithRalph(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.ralph'))) return at;
    if (dirname(at) === at) return folder;
  }
}

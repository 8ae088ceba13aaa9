import type { LoadedConfig } from '../../../config/index.ts';
import type { Config } from '../../../domain/config.ts';

/** A value of the configuration with where it came from. */
export type ConfigEntry = ReturnType<Extract<LoadedConfig, { ok: true }>['entries']>[number];

/** Something of the repository that a run would execute, or send to an agent as its instructions. */
export type TrustItem = {
  readonly kind:
    | 'gate'
    | 'agent'
    /** What opens the box, or a gate that runs outside of it. */
    | 'box'
    /** Who decides at the human gates, and what opens them. */
    | 'human'
    | 'scenario'
    | 'template'
    | 'handler'
    | 'notify'
    /** Notes or guidance, or the task list, outside of the repository. */
    | 'notes'
    | 'tracker'
    /** What a task says that loosens something. */
    | 'task';
  /** The gate's name, the key of the setting, the path of the file (with where it leads), or the task's id. */
  readonly name: string;
  /** The command line, `sha256:…` of the file, where it lies, or the attribute. */
  readonly text: string;
};

/** A file whose content counts, by its path as the configuration names it. */
export type TrustFile = { readonly kind: 'scenario' | 'template' | 'handler'; readonly path: string };

const RUNNER_COMMAND = /^runners\..*\.(argv|extra_args)$/;
const RUNNER_INHERIT = /^runners\..*\.inherit$/;
const RUNNER_ENV = /^runners\..*\.env(\.|$)/;

/**
 * The commands that the project's own file names: gates, runners with their arguments and environment. What the user's
 * file, the environment or a flag says is your own and needs no trust; settings that run nothing are left out.
 */
export function commandItems(entries: readonly ConfigEntry[], config: Config): TrustItem[] {
  const project = entries.filter(({ layer }) => layer === 'project');
  const items: TrustItem[] = [];
  if (project.some(({ key }) => key === 'gates.commands')) {
    for (const entry of config.gates.commands) {
      const { name, run, box = true } = typeof entry === 'string' ? { name: undefined, run: entry } : entry;
      items.push({ kind: 'gate', name: name ?? run, text: run });
      if (!box) items.push({ kind: 'box', name: name ?? run, text: 'this gate runs outside of the box' });
    }
  }
  for (const { key, value } of project) {
    // Where a run's reports go is as much your decision as what it runs.
    if ((key === 'notify.command' || key === 'notify.webhook') && typeof value === 'string' && value !== '') {
      items.push({ kind: 'notify', name: key, text: value });
    }
    if (key === 'notify.email' && Array.isArray(value) && value.length > 0) {
      items.push({ kind: 'notify', name: key, text: commandLine(value.map(String)) });
    }
    if (key === 'gates.setup' && value !== 'auto' && value !== 'off')
      items.push({ kind: 'gate', name: key, text: String(value) });
    // Also what closes it: it stands in the place of what you said in your own file.
    if (key.startsWith('box.')) items.push({ kind: 'box', name: key, text: JSON.stringify(value) });
    if ((key === 'gates.env' || RUNNER_INHERIT.test(key)) && Array.isArray(value) && value.length > 0)
      items.push({ kind: 'box', name: key, text: JSON.stringify(value) });
    if (key.startsWith('human.')) items.push({ kind: 'human', name: key, text: JSON.stringify(value) });
    if (RUNNER_COMMAND.test(key) && Array.isArray(value) && value.length > 0) {
      items.push({ kind: 'agent', name: key, text: commandLine(value.map(String)) });
    }
    if (RUNNER_ENV.test(key) && typeof value === 'string') {
      items.push({ kind: 'agent', name: key, text: word(value) });
    }
  }
  return items;
}

/** Arguments as one line; each that is more than a plain word in quotes, so that two lists never look the same. */
function commandLine(argv: readonly string[]): string {
  return argv.map(word).join(' ');
}

function word(text: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(text) ? text : JSON.stringify(text);
}

/** What is hashed: the same for the same items in whatever order and whatever else the files say. */
export function canonicalItems(items: readonly TrustItem[]): string {
  const lines = items.map(({ kind, name, text }) => JSON.stringify([kind, name, text]));
  return [...new Set(lines)].sort().join('\n');
}

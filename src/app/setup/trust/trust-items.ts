import type { LoadedConfig } from '../../../config/index.ts';
import type { Config } from '../../../domain/config.ts';

export type ConfigEntry = ReturnType<Extract<LoadedConfig, { ok: true }>['entries']>[number];

/** A part of the repository that a run would execute, or send to an agent as instructions. */
export type TrustItem = {
  readonly kind:
    | 'gate'
    | 'agent'
    /** A setting that opens the box, or a gate that runs outside of it. */
    | 'box'
    /** A user who may decide at human gates, or a setting of these gates. */
    | 'human'
    | 'scenario'
    | 'template'
    | 'handler'
    | 'notify'
    /** Notes, guidance or a task list outside of the repository. */
    | 'notes'
    | 'tracker'
    | 'task';
  /** Name of the gate, key of the setting, path of the file (with its target), or id of the task. */
  readonly name: string;
  /** The command line, the file's `sha256:…`, its place, or the attribute. */
  readonly text: string;
};

/** A file whose content needs approval. `path` is as written in the configuration. */
export type TrustFile = { readonly kind: 'scenario' | 'template' | 'handler'; readonly path: string };

const RUNNER_COMMAND = /^runners\..*\.(argv|extra_args)$/;
const RUNNER_INHERIT = /^runners\..*\.inherit$/;
const RUNNER_ENV = /^runners\..*\.env(\.|$)/;

/**
 * Returns items for the settings in the project's file. Values from your own file, the environment or flags need no
 * approval, and neither do settings that run nothing.
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
    // You also decide where reports are sent, not only what runs.
    if ((key === 'notify.command' || key === 'notify.webhook') && typeof value === 'string' && value !== '') {
      items.push({ kind: 'notify', name: key, text: value });
    }
    // It is also your decision who may answer in a chat.
    if (key === 'notify.telegram' || (key === 'notify.ntfy' && value !== ''))
      items.push({ kind: 'notify', name: key, text: String(value) });
    if (key === 'gates.setup' && value !== 'auto' && value !== 'off')
      items.push({ kind: 'gate', name: key, text: String(value) });
    // Even stricter settings need approval, because they replace those in your own file.
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

/**
 * Returns a command line in which every argument but plain words is quoted, so that different lists always look
 * different.
 */
function commandLine(argv: readonly string[]): string {
  return argv.map(word).join(' ');
}

function word(text: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Returns the text to hash. It doesn't depend on the order of items or on anything else in the files. */
export function canonicalItems(items: readonly TrustItem[]): string {
  const lines = items.map(({ kind, name, text }) => JSON.stringify([kind, name, text]));
  return [...new Set(lines)].sort().join('\n');
}

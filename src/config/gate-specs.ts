import type { Config } from '../domain/config.ts';
import type { GateSpec } from '../domain/gate.ts';

type Entry = Exclude<Config['gates']['commands'][number], string>;

/** Number of words in a gate's name, enough to tell `npm run lint` from `npm run build`. */
const NAME_WORDS = 3;

/** Returns the gates in order. A gate without a name gets its command's first words; duplicates get a number. */
export function gateSpecs(config: Config): GateSpec[] {
  const { gates } = config;
  const entries = gates.commands.map((entry): Entry => (typeof entry === 'string' ? { run: entry } : entry));
  const taken = new Set(entries.map((entry) => entry.name).filter((name) => name !== undefined));
  return entries.map((entry) => {
    const name = entry.name ?? unusedName(nameOf(entry.run), taken);
    taken.add(name);
    return {
      name,
      run: entry.run,
      timeoutMs: (entry.timeout ?? gates.timeout) * 1000,
      onMissing: entry.on_missing ?? 'fail',
      paths: entry.paths ?? null,
      required: entry.held_out !== undefined || (entry.required ?? false),
      box: entry.box ?? true,
      heldOut: entry.held_out ?? null,
      parses: typeof entry.parses === 'string' ? [entry.parses] : (entry.parses ?? []),
    };
  });
}

/** `cd web && CI=1 npm run lint -- --max-warnings 0` → `npm run lint`. */
function nameOf(run: string): string {
  const command = run.trim().replace(/^cd\s+\S+\s*(&&|;)\s*/, '');
  const words: string[] = [];
  for (const word of command.split(/\s+/)) {
    if (words.length === 0 && /^\w+=/.test(word)) continue;
    // Options and shell syntax aren't part of the name.
    if (words.length > 0 && /^-|^[|&;<>(){}]/.test(word)) break;
    words.push(word.replace(/[;&|]+$/, ''));
    if (words.length === NAME_WORDS || /[;&|]$/.test(word)) break;
  }
  return words.join(' ').slice(0, 40).trim() || 'gate';
}

function unusedName(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${name} (${number})`;
  return candidate;
}

import { BUILT_IN_AGENTS } from 'ralph-agents/known';
import { onOneLine } from 'ralph-kit/text';
import { splitId } from 'ralph-task-lists';
import type { TriedGate } from './try-gates.ts';

type Settings = {
  readonly agent: string;
  readonly gates: readonly TriedGate[];
  /** Path of the task list; `null`: runs find it without configuration. */
  readonly trackerPath: string | null;
  /** Hosts that the agent and the project's tools need. */
  readonly hosts: readonly string[];
};

/** Returns the `.ralph/ralph.toml` of `ralph init`. Commented keys have their default values. */
export function configText({ agent, gates, trackerPath, hosts }: Settings): string {
  return `# Configuration of ralph. Every key is optional; docs/CONFIGURATION.md of ralph lists them all.
# Lines that begin with "# key =" show the default.

[loop]
# "auto" takes the first of ${BUILT_IN_AGENTS.join(', ')} that is installed.
agent = ${tomlText(agent)}
# speed: 120 s an attempt, quality: 300 s, exploration: 600 s.
mode = "speed"
# Agents that work while the first one is not available, such as ["codex"] after a usage limit.
# fallback = []
# How long a run waits for an agent that is not available.
# max_wait = "6h"
# Failed attempts until a task is blocked, iterations without a change until the run stops.
# max_attempts_per_task = 3
# no_progress_limit = 3

[tracker]
# The task list; empty: .ralph/PRD.md, prd.json, tasks.yaml and other usual names are looked for.
${trackerPath === null ? '# path = ""' : `path = ${tomlText(trackerPath)}`}

[gates]
# Commands that must pass before a task counts as done, such as { name = "test", run = "npm test" }.
${commandLines(gates)}
# Longest time for one of them.
# timeout = "10m"

[git]
# Commits the files of a task once it is verified. "never" leaves that to you.
# commit = "on_done"
# Push at checkpoints and at the end: "checkpoints"; and open a pull request by gh or glab: "draft" or "ready".
# push = "never"
# pull_request = "never"

[box]
# Agents and gates run in a box where bubblewrap is installed. "require": never without one.
# mode = "auto"
# Paths beside the work tree that may be written.
# writable = []
${networkLines(hosts)}

[review]
# Starts no agent that cannot be made to ask before it acts.
# require_gate = false
# Which rules speak: all, essential or none (see: ralph review rules).
# rules = { builtin = "all", disabled = [], custom_rules_path = "" }

[adaptive_timeout]
# The limit of an attempt follows from the mode, how hard the task is, and earlier timeouts, within these bounds.
# enabled = true
# min_timeout = "1m"
# max_timeout = "1h"
# timeout_multiplier_per_failure = 1.5
# Without any output for so long, an attempt is ended.
# idle_timeout = "10m"

[unblock]
# Gives tasks that only need more time another series of attempts when nothing else is left.
# auto = false
# max_auto_unblock_attempts = 1

[interventions]
# Attempts without files, and false claims, among the agent's last 5 before the prompt uses stronger words.
# threshold_no_files = 3
# threshold_false_completion = 2
# max_interventions_per_task = 10
`;
}

/** Returns a commented list of hosts, which you may use instead of the default. */
function networkLines(hosts: readonly string[]): string {
  const what = '# What agents and gates reach: "on", "off", or a list of hosts';
  const list = hosts.length === 0 ? `${what}.` : `${what}, such as\n# [${hosts.map(tomlText).join(', ')}].`;
  return `${list}\n# network = "on"`;
}

/**
 * Returns lines for the gates. Gates that can't run are comments with the reason, because a run wouldn't start with
 * them.
 */
function commandLines(gates: readonly TriedGate[]): string {
  if (gates.length === 0) return 'commands = []';
  const lines = gates.map(({ name, run, result, detail }) => {
    const entry = `{ name = ${tomlText(name)}, run = ${tomlText(run)} },`;
    const why = onOneLine(detail);
    if (result === 'tool_missing') return `  # ${why} when ralph init ran it:\n  # ${entry}`;
    return result === 'failed' || result === 'timed_out'
      ? `  # ${why} when ralph init ran it; what fails before a run doesn't count against the agent.\n  ${entry}`
      : `  ${entry}`;
  });
  return `commands = [\n${lines.join('\n')}\n]`;
}

/** Returns a basic string of TOML: characters that JSON leaves as they are but TOML doesn't are escaped. */
export function tomlText(text: string): string {
  return JSON.stringify(text).replace(/\x7f/g, '\\u007f');
}

/** Returns a task list with your first tasks. */
export function listText(titles: readonly string[]): string {
  return `# What to build

Each box below is a task; bullets under it say when it is done.

## Tasks

${titles.map(boxOf).join('\n')}
`;
}

function boxOf(title: string, index: number): string {
  return `- [ ] ${splitId(title).id === null ? `**T-${index + 1}** ` : ''}${title}`;
}

import { ADAPTERS, formatOf, parseText, pluginHook } from 'ralph-agents';
import type { AgentEvent } from 'ralph-agents/event';
import { fields, number, readLine, text } from 'ralph-agents/lenient';
import type { AgentAdapter } from 'ralph-agents/protocol';
import type { Config } from '../../domain/config.ts';
import { SCRIPTED_HOOK, SCRIPTED_SESSION } from '../../domain/scenario.ts';

type Context = {
  /** Path of the node that runs ralph. */
  readonly node: string;
  /** Absolute path of the bundled `app/demo/main.js`. */
  readonly program: string;
  /** Scenario when `[runners.scripted] scenario` names none. */
  readonly defaultScenario: string;
};

/** Returns the adapters of the agents that play a scenario, by name: `scripted`, and your own with a `scenario`. */
export function scriptedAgents(runners: Config['runners'], context: Context): Record<string, AgentAdapter> {
  const playing = Object.entries<Config['runners'][string]>({ scripted: {}, ...runners }).filter(
    ([name, { scenario }]) => name === 'scripted' || scenario !== undefined,
  );
  return Object.fromEntries(playing.map(([name, runner]) => [name, adapterOf(name, runner, context)]));
}

/**
 * Each line of the output may be plain text or of claude's JSON stream, as the scenario has it; only those of the stream
 * give a session id.
 */
function adapterOf(
  name: string,
  { scenario, output }: Config['runners'][string],
  { node, program, defaultScenario }: Context,
): AgentAdapter {
  return {
    name,
    model: null,
    ...(output === undefined ? { output: 'text', parse: parseScripted } : formatOf(output)),
    // The scenario's path is as the agent finds it from its working directory.
    plan: ({ hook, env, extraArgs }) => ({
      argv: [node, program, scenario ?? defaultScenario, ...extraArgs],
      env: {
        ...env,
        ...(hook === null ? {} : { [SCRIPTED_HOOK.socket]: hook.socket, [SCRIPTED_HOOK.token]: hook.token }),
      },
      stdin: 'prompt',
    }),
    cumulativeUsage: false,
    usage: { tokens: 'live', cost: 'end' },
    hook: pluginHook(ADAPTERS.claude.action, false),
    home: null,
    inherits: { which: 'all', additional: [] },
  };
}

const Signed = fields({ session_id: text, type: text, input_tokens: number, output_tokens: number });

function parseScripted(line: string): readonly AgentEvent[] {
  const data = line.includes(SCRIPTED_SESSION) ? readLine(line, Signed) : null;
  if (data?.session_id !== SCRIPTED_SESSION) return parseText(line);
  if (data.type !== 'usage') return ADAPTERS.claude.parse(line);
  const { input_tokens: inputTokens, output_tokens: outputTokens } = data;
  const used = {
    model: null,
    inputTokens,
    outputTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    costUsd: null,
  };
  return [{ kind: 'usage', scope: 'add', usage: [used] }];
}

import type { AgentAdapter, AgentEvent } from '../domain/agent.ts';
import { SCRIPTED_HOOK, SCRIPTED_SESSION } from '../domain/scenario.ts';
import type { AgentOutput } from '../lib/agents.ts';
import { claude } from './claude.ts';
import { usageOf, used } from './events.ts';
import { pluginHook } from './hooks/plugin-hook.ts';
import { fields, number, readLine, text } from './lenient.ts';
import { formatOf, parseText } from './registry.ts';

const Signed = fields({ session_id: text, type: text, input_tokens: number, output_tokens: number });

/**
 * The agent that plays a scenario file. Whether it prints plain text or a claude stream is the scenario's choice,
 * which is not known here: its stream lines carry a session id that nothing else has.
 */
export function scriptedAdapter(options: {
  readonly node: string;
  /** Path of the bundled `evaluate/scripted/main.js`. */
  readonly program: string;
  /** As the agent finds it from its working directory. */
  readonly scenarioFile: string;
  /** Fixes how the output is read; without it each line tells. */
  readonly output?: AgentOutput | undefined;
}): AgentAdapter {
  return {
    name: 'scripted',
    model: null,
    ...(options.output === undefined ? { output: 'text', parse: parseScripted } : formatOf(options.output)),
    plan: (request) => ({
      argv: [options.node, options.program, options.scenarioFile, ...request.extraArgs],
      env: {
        ...request.env,
        ...(request.hook === null
          ? {}
          : { [SCRIPTED_HOOK.socket]: request.hook.socket, [SCRIPTED_HOOK.token]: request.hook.token }),
      },
      stdin: 'prompt',
    }),
    cumulativeUsage: false,
    usage: { tokens: 'live', cost: 'end' },
    hook: pluginHook(claude.action, false),
    home: null,
    inherits: { which: 'all', and: [] },
  };
}

function parseScripted(line: string): readonly AgentEvent[] {
  if (!line.includes(SCRIPTED_SESSION)) return parseText(line);
  const data = readLine(line, Signed);
  if (data?.session_id !== SCRIPTED_SESSION) return parseText(line);
  if (data.type !== 'usage') return claude.parse(line);
  const { input_tokens: input, output_tokens: output } = data;
  return [used('add', usageOf('', { input, output, cached: 0, cacheWrite: 0 }))];
}

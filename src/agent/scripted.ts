import type { AgentAdapter, AgentEvent, AgentOutput } from '../domain/agent.ts';
import { SCRIPTED_GATE, SCRIPTED_SESSION } from '../domain/scenario.ts';
import { parseClaude } from './claude.ts';
import { fields, readLine, text } from './lenient.ts';
import { PARSERS, parseText } from './parsers.ts';
import { pluginGate } from './plugin-gate.ts';

const Signed = fields({ session_id: text });

/**
 * The agent that plays a scenario file. Whether it prints plain text or a claude stream is the scenario's choice,
 * which is not known here: its stream lines carry a session id that nothing else has.
 */
export function scriptedAdapter(options: {
  readonly node: string;
  /** Path of the bundled `scripted/main.js`. */
  readonly program: string;
  /** As the agent finds it from its working directory. */
  readonly scenarioFile: string;
  /** Fixes how the output is read; without it each line tells. */
  readonly output?: AgentOutput | undefined;
}): AgentAdapter {
  return {
    name: 'scripted',
    output: options.output ?? 'text',
    plan: (request) => ({
      argv: [options.node, options.program, options.scenarioFile, ...request.extraArgs],
      env: {
        ...request.env,
        ...(request.gate === null
          ? {}
          : { [SCRIPTED_GATE.socket]: request.gate.socket, [SCRIPTED_GATE.token]: request.gate.token }),
      },
      stdin: 'prompt',
    }),
    parse: options.output === undefined ? parseScripted : PARSERS[options.output],
    gate: pluginGate,
  };
}

function parseScripted(line: string): readonly AgentEvent[] {
  const signed = line.includes(SCRIPTED_SESSION) && readLine(line, Signed)?.session_id === SCRIPTED_SESSION;
  return signed ? parseClaude(line) : parseText(line);
}

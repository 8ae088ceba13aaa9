import type { AgentAdapter, AgentEvent, GatePlace, SettingsOverlay } from '../domain/agent.ts';
import { failureEvents } from './failure.ts';
import { contentKey, hookAnswer, readHookCall } from './hook-gate.ts';
import { fields, flag, maybeText, number, outputText, readLine, record, text } from './lenient.ts';
import { epochMs } from './reset-time.ts';

const Line = fields({
  type: text,
  timestamp: text,
  session_id: text,
  role: text,
  content: text,
  delta: flag,
  tool_name: text,
  tool_id: maybeText,
  parameters: record,
  status: text,
  output: text,
  message: text,
  error: fields({ type: text, message: text }),
  stats: fields({ input_tokens: number, output_tokens: number, cached: number, tool_calls: number }),
});
type Line = NonNullable<ReturnType<typeof readGemini>>;

const readGemini = (line: string) => readLine(line, Line);

/** Gemini CLI; without `-p` it reads the prompt from standard input. */
export const gemini: AgentAdapter = {
  name: 'gemini',
  output: 'gemini-stream',
  plan: (request) => ({
    argv: [
      'gemini',
      ...['-o', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
      ...(request.model === null ? [] : ['-m', request.model]),
      ...(request.resume === null ? [] : ['--resume', request.resume]),
      ...request.extraArgs,
    ],
    env: { ...request.env, ...(request.gate === null ? {} : { [HOME]: request.gate.folder }) },
    stdin: 'prompt',
    ...(request.gate === null ? {} : { overlay: hookSettings(request.gate) }),
  }),
  parse: parseGemini,
  gate: {
    transport: 'hook',
    unseenInput: false,
    callKey: contentKey,
    actionKey: contentKey,
    read: (text) => readHookCall(text, 'BeforeTool'),
    answer: (message, ruling) => hookAnswer(message, ruling, (reason) => ({ decision: 'deny', reason })),
  },
};

const HOME = 'GEMINI_CLI_HOME';

/**
 * Settings of the machine could not be switched off by anybody, but gemini takes them from root alone. So the hooks come
 * with the person's own settings. Timeouts in milliseconds.
 */
function hookSettings({ client, patienceSeconds }: GatePlace): SettingsOverlay {
  const hooks = [{ type: 'command', name: 'ralph', command: client, timeout: patienceSeconds * 1000 }];
  return {
    variable: HOME,
    folder: '.gemini',
    file: 'settings.json',
    add: { hooks: { BeforeTool: [{ matcher: '.*', hooks }], SessionStart: [{ hooks }] } },
    kept: ['tmp', 'history'],
    beside: ['.env'],
  };
}

/** One line of `-o stream-json`. */
export function parseGemini(line: string): readonly AgentEvent[] {
  const data = readGemini(line);
  if (data === null) return [];
  switch (data.type) {
    case 'init':
      return data.session_id === '' ? [] : [{ kind: 'session', id: data.session_id }];
    case 'message':
      // The prompt comes back as a message of the user: it is nobody's claim.
      if (data.role !== 'assistant' || data.content === '') return [];
      return [{ kind: 'text', text: data.content, delta: data.delta }];
    case 'tool_use':
      return [{ kind: 'tool_call', id: data.tool_id, tool: data.tool_name, input: data.parameters }];
    case 'tool_result':
      return [
        {
          kind: 'tool_result',
          id: data.tool_id,
          ok: data.status === 'success',
          output: outputText(data.output || data.error.message),
        },
      ];
    case 'error':
      return failureEvents({ status: null, message: data.message || data.error.message, fatal: false });
    case 'result':
      return resultEvents(data);
    default:
      return [];
  }
}

/** What gemini itself says nothing of: it calls this a success. */
const NEVER_ASKED = 'gemini ended without asking its model; the prompt may be longer than the model takes';

function resultEvents(data: Line): readonly AgentEvent[] {
  const usage: AgentEvent = {
    kind: 'usage',
    scope: 'total',
    usage: {
      inputTokens: data.stats.input_tokens,
      outputTokens: data.stats.output_tokens,
      cachedTokens: data.stats.cached,
      costUsd: null,
    },
  };
  const { type, message } = data.error;
  const { input_tokens, output_tokens, tool_calls } = data.stats;
  if (data.status === 'success' && input_tokens + output_tokens + tool_calls === 0) {
    return [
      { kind: 'error', cause: 'other', message: NEVER_ASKED, fatal: true },
      { kind: 'result', ok: false, text: null },
    ];
  }
  if (data.status === 'success') return [usage, { kind: 'result', ok: true, text: null }];
  return [
    usage,
    ...failureEvents({ status: null, message: message || type, fatal: true, at: epochMs(data.timestamp) }),
    { kind: 'result', ok: false, text: null },
  ];
}

import { TOKENS } from './scenario.ts';
import {
  type Answer,
  contentText,
  event,
  fields,
  freshId,
  list,
  parameters,
  text,
  type WireFormat,
} from './wire-format.ts';

const USAGE = {
  prompt_tokens: TOKENS.input,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
  prompt_tokens_details: { cached_tokens: TOKENS.cached },
  completion_tokens_details: { reasoning_tokens: 0 },
};

/** The id of a call that no model asked for: copilot reads what a shell in the background printed once it has ended. */
const OF_THE_AGENT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const openaiChat: WireFormat = {
  matches: (path) => path.endsWith('/chat/completions'),
  read: (_path, body) => {
    const { model, stream, tools, messages } = fields(body);
    return {
      model: text(model),
      streams: stream === true,
      tools: list(tools).map((tool) => ({
        name: text(fields(tool.function).name),
        namespace: null,
        freeText: false,
        parameters: parameters(fields(tool.function).parameters),
      })),
      results: list(messages)
        .filter((message) => message.role === 'tool' && !OF_THE_AGENT.test(text(message.tool_call_id)))
        .map(({ content }) => contentText(content)),
    };
  },
  whole: (answer) => ({
    ...base(answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text || null, ...(toolCalls(answer) ?? {}) },
        finish_reason: finishReason(answer),
      },
    ],
    usage: USAGE,
  }),
  pieces: (answer) => {
    const common = base(answer, 'chat.completion.chunk');
    const chunk = (delta: unknown, finish_reason: string | null = null) =>
      event({ ...common, choices: [{ index: 0, delta, finish_reason }] });
    const calls = toolCalls(answer);
    return [
      chunk({ role: 'assistant', content: '' }),
      ...(answer.text === '' ? [] : [chunk({ content: answer.text })]),
      ...(calls === null ? [] : [chunk(calls)]),
      chunk({}, finishReason(answer)),
      event({ ...common, choices: [], usage: USAGE }),
      event('[DONE]'),
    ];
  },
  failure: (status, message) => openaiFailure(status, message),
};

/** Both interfaces of this maker tell errors alike. */
export function openaiFailure(status: number, message: string): unknown {
  const types: Readonly<Record<number, string>> = { 401: 'authentication_error', 429: 'rate_limit_error' };
  const codes: Readonly<Record<number, string>> = { 401: 'invalid_api_key', 429: 'rate_limit_exceeded' };
  return {
    error: { message, type: types[status] ?? 'api_error', param: null, code: codes[status] ?? null },
  };
}

function base({ model }: Answer, object: string) {
  return { id: freshId('chatcmpl-'), object, created: 1_800_000_000, model };
}

function toolCalls({ calls }: Answer) {
  if (calls.length === 0) return null;
  const tool_calls = calls.map(({ name, input }, index) => ({
    index,
    id: freshId('call_'),
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  return { tool_calls };
}

function finishReason({ calls }: Answer): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

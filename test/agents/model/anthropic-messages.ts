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

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export const anthropicMessages: WireFormat = {
  matches: (path) => path.endsWith('/messages'),
  read: (_path, body) => {
    const { model, stream, tools, messages } = fields(body);
    return {
      model: text(model),
      streams: stream === true,
      tools: list(tools).map((tool) => ({
        name: text(tool.name),
        namespace: null,
        freeText: false,
        parameters: parameters(tool.input_schema),
      })),
      results: list(messages)
        .flatMap((message) => list(message.content))
        .filter(({ type }) => type === 'tool_result')
        .map(({ content }) => contentText(content)),
    };
  },
  whole: (answer) => message(answer),
  pieces: (answer) => {
    const whole = message(answer);
    const started = { ...whole, content: [], stop_reason: null };
    return [
      event({ type: 'message_start', message: started }, 'message_start'),
      ...whole.content.flatMap((block, index) => {
        const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
        const delta =
          block.type === 'text'
            ? { type: 'text_delta', text: block.text }
            : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
        return [
          event({ type: 'content_block_start', index, content_block: empty }, 'content_block_start'),
          event({ type: 'content_block_delta', index, delta }, 'content_block_delta'),
          event({ type: 'content_block_stop', index }, 'content_block_stop'),
        ];
      }),
      event(
        {
          type: 'message_delta',
          delta: { stop_reason: whole.stop_reason, stop_sequence: null },
          usage: { output_tokens: TOKENS.output },
        },
        'message_delta',
      ),
      event({ type: 'message_stop' }, 'message_stop'),
    ];
  },
  failure: (status, words) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message: words },
    request_id: freshId('req_'),
  }),
};

function message({ model, text: words, calls }: Answer) {
  return {
    id: freshId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(words === '' ? [] : [{ type: 'text' as const, text: words }]),
      ...calls.map(({ name, input }) => ({ type: 'tool_use' as const, id: freshId('toolu_'), name, input })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: TOKENS.input - TOKENS.cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: TOKENS.cached,
      output_tokens: TOKENS.output,
    },
  };
}

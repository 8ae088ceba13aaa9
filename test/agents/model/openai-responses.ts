import { openaiFailure } from './openai-chat.ts';
import { TOKENS } from './scenario.ts';
import {
  type Answer,
  contentText,
  event,
  fields,
  freshId,
  list,
  parameters,
  type ToolCall,
  text,
  type WireFormat,
} from './wire-format.ts';

export const openaiResponses: WireFormat = {
  matches: (path) => path.endsWith('/responses'),
  read: (_path, body) => {
    const { model, stream, tools, input } = fields(body);
    return {
      model: text(model),
      streams: stream === true,
      tools: list(tools).flatMap((tool) =>
        tool.type === 'namespace'
          ? list(tool.tools).map((inner) => offered(inner, text(tool.name)))
          : [offered(tool, null)],
      ),
      results: list(input)
        .filter(({ type }) => text(type).endsWith('_output'))
        .map(({ output }) => contentText(output)),
    };
  },
  whole: (answer) => response(answer, items(answer)),
  pieces: (answer) => {
    const output = items(answer);
    const whole = response(answer, output);
    const begun = { ...whole, status: 'in_progress', output: [], usage: null };
    let sequence_number = 0;
    const piece = (type: string, data: object) => {
      const numbered = { type, sequence_number, ...data };
      sequence_number += 1;
      return event(numbered, type);
    };
    return [
      piece('response.created', { response: begun }),
      piece('response.in_progress', { response: begun }),
      ...output.flatMap((item, output_index) => {
        const at = { output_index, item_id: item.id };
        return [
          piece('response.output_item.added', { output_index, item: { ...item, ...EMPTY[item.type] } }),
          ...deltas(item).map(([type, data]) => piece(type, { ...at, ...data })),
          piece('response.output_item.done', { output_index, item }),
        ];
      }),
      piece('response.completed', { response: whole }),
    ];
  },
  failure: openaiFailure,
};

function offered(tool: Readonly<Record<string, unknown>>, namespace: string | null) {
  return {
    name: text(tool.name) || text(tool.type),
    namespace,
    freeText: tool.type === 'custom',
    parameters: parameters(tool.parameters),
  };
}

type Item = ReturnType<typeof items>[number];

/** What an item is before its words have come. */
const EMPTY = {
  message: { status: 'in_progress', content: [] },
  function_call: { status: 'in_progress', arguments: '' },
  custom_tool_call: { status: 'in_progress', input: '' },
};

function items({ text: words, calls }: Answer) {
  const message = {
    type: 'message' as const,
    id: freshId('msg_'),
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: words, annotations: [] }],
  };
  return [...(words === '' ? [] : [message]), ...calls.map(callItem)];
}

function callItem({ name, namespace, input }: ToolCall) {
  const common = { status: 'completed', call_id: freshId('call_'), name };
  if (typeof input === 'string')
    return { type: 'custom_tool_call' as const, id: freshId('ctc_'), ...common, input };
  return {
    type: 'function_call' as const,
    id: freshId('fc_'),
    ...common,
    ...(namespace === null ? {} : { namespace }),
    arguments: JSON.stringify(input),
  };
}

function deltas(item: Item): readonly (readonly [type: string, data: object])[] {
  switch (item.type) {
    case 'message': {
      const [part] = item.content;
      const at = { content_index: 0 };
      return [
        ['response.content_part.added', { ...at, part: { ...part, text: '' } }],
        ['response.output_text.delta', { ...at, delta: part?.text }],
        ['response.output_text.done', { ...at, text: part?.text }],
        ['response.content_part.done', { ...at, part }],
      ];
    }
    case 'function_call':
      return [
        ['response.function_call_arguments.delta', { delta: item.arguments }],
        ['response.function_call_arguments.done', { arguments: item.arguments }],
      ];
    case 'custom_tool_call':
      return [
        ['response.custom_tool_call_input.delta', { delta: item.input }],
        ['response.custom_tool_call_input.done', { input: item.input }],
      ];
  }
}

function response({ model }: Answer, output: readonly Item[]) {
  return {
    id: freshId('resp_'),
    object: 'response',
    created_at: 1_800_000_000,
    model,
    status: 'completed',
    parallel_tool_calls: true,
    tools: [],
    error: null,
    incomplete_details: null,
    output,
    usage: {
      input_tokens: TOKENS.input,
      input_tokens_details: { cached_tokens: TOKENS.cached },
      output_tokens: TOKENS.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: TOKENS.input + TOKENS.output,
    },
  };
}

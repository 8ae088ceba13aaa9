import { TOKENS } from './scenario.ts';
import { event, fields, freshId, list, parameters, text, type WireFormat } from './wire-format.ts';

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
};

/** A request for an answer names model and manner in its path: `/v1beta/models/NAME:streamGenerateContent`. */
const PATH = /\/models\/([^/:]+):(stream)?generateContent$/i;

export const geminiContent: WireFormat = {
  matches: (path) => PATH.test(path),
  read: (path, body) => {
    const { tools, contents } = fields(body);
    const [, model = '', stream] = PATH.exec(path) ?? [];
    return {
      model,
      streams: stream !== undefined,
      tools: list(tools)
        .flatMap(({ functionDeclarations }) => list(functionDeclarations))
        .map((tool) => ({
          name: text(tool.name),
          namespace: null,
          freeText: false,
          parameters: parameters(tool.parametersJsonSchema ?? tool.parameters),
        })),
      results: list(contents)
        .flatMap(({ parts }) => list(parts))
        .filter(({ functionResponse }) => functionResponse !== undefined)
        .map(({ functionResponse }) => JSON.stringify(fields(functionResponse).response)),
    };
  },
  whole: ({ text: words, calls }) => candidate([...textParts(words), ...callParts(calls)], true),
  pieces: ({ text: words, calls }) => [
    ...textParts(words).map((part) => event(candidate([part], false))),
    event(candidate(calls.length > 0 ? callParts(calls) : [{ text: '' }], true)),
  ],
  failure: (status, message) => ({ error: { code: status, message, status: STATUS[status] ?? 'INTERNAL' } }),
};

function textParts(words: string) {
  return words === '' ? [] : [{ text: words }];
}

function callParts(calls: readonly { readonly name: string; readonly input: unknown }[]) {
  return calls.map(({ name, input }) => ({
    functionCall: { id: freshId('call_'), name, args: input },
    thoughtSignature: 'ZmFrZQ==',
  }));
}

function candidate(parts: readonly unknown[], last: boolean) {
  return {
    candidates: [{ content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}), index: 0 }],
    modelVersion: 'loopback',
    responseId: freshId('r'),
    ...(last
      ? {
          usageMetadata: {
            promptTokenCount: TOKENS.input,
            candidatesTokenCount: TOKENS.output,
            totalTokenCount: TOKENS.input + TOKENS.output,
            cachedContentTokenCount: TOKENS.cached,
          },
        }
      : {}),
  };
}

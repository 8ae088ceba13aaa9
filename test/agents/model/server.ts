import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { anthropicMessages } from './anthropic-messages.ts';
import { geminiContent } from './gemini-content.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Call, Scenario, Turn } from './scenario.ts';
import { toolCallFor } from './tools-of-agents.ts';
import type { Conversation, WireFormat } from './wire-format.ts';

const FORMATS = [anthropicMessages, openaiResponses, openaiChat, geminiContent];

/** A request for an answer to the conversation; side requests (titles and the like) are not among them. */
export type ModelRequest = Conversation & {
  readonly path: string;
  /** All that the agent sent, as it came. */
  readonly body: string;
};

export type ModelServer = {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Requests that aren't part of any interface: the agent looked for something else. */
  readonly strays: readonly string[];
  readonly close: () => Promise<void>;
};

/** A model on the loopback interface that plays a scenario. @param root folder that the agent works in. */
export async function startModel(scenario: Scenario, root: string): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const strays: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    const format = FORMATS.find(({ matches }) => matches(path));
    if (request.method !== 'POST' || format === undefined) {
      if (!isCourtesy(path)) strays.push(`${request.method} ${path}`);
      return courtesy(path, body, response);
    }
    const conversation = format.read(path, JSON.parse(body));
    // A request that offers no tools is a side request for a title or a summary.
    if (conversation.tools.length === 0) {
      return send(response, format, conversation, { kind: 'says', text: 'ok' }, root);
    }
    const asked = { ...conversation, path, body };
    const turn = turnOf(scenario, asked, requests.length);
    requests.push(asked);
    send(response, format, conversation, turn, root);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    strays,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function turnOf({ turns, first, answers }: Scenario, asked: ModelRequest, before: number): Turn {
  if (first !== undefined && before < first.requests) return first.turn;
  if (answers !== undefined) return answers(asked);
  const { results } = asked;
  return turns[Math.min(results.length, turns.length - 1)] ?? turns[0];
}

function send(
  response: ServerResponse,
  format: WireFormat,
  { model, tools, results, streams }: Conversation,
  turn: Turn,
  root: string,
): void {
  const answer = (text: string, calls: readonly Call[] = []) => {
    return { model, text, calls: calls.map((call) => toolCallFor(call, { tools, results }, root)) };
  };
  if (streams && !['fails', 'raw', 'resets'].includes(turn.kind)) response.writeHead(200, EVENT_STREAM);
  switch (turn.kind) {
    case 'fails': {
      const { status, message, headers, body } = turn;
      sendJson(response, status, body ?? format.failure(status, message), headers);
      return;
    }
    case 'raw':
      response.writeHead(turn.status, { 'content-type': turn.type, ...turn.headers });
      response.end(turn.body);
      return;
    case 'resets':
      response.socket?.resetAndDestroy();
      return;
    case 'hangs':
      if (streams) response.flushHeaders();
      return;
    case 'cut': {
      const pieces = streams ? format.pieces(answer(turn.text)) : [];
      response.write(pieces.slice(0, Math.floor(pieces.length / 2)).join(''), () => response.destroy());
      return;
    }
    case 'says': {
      const reply = answer(turn.text, turn.calls);
      if (streams) response.end(format.pieces(reply).join(''));
      else sendJson(response, 200, format.whole(reply));
    }
  }
}

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Counts of tokens and lists of models: asked for beside the conversation. */
function isCourtesy(path: string): boolean {
  return /\/(count_tokens|models)$|:countTokens$/.test(path);
}

function courtesy(path: string, body: string, response: ServerResponse): void {
  const tokens = Math.ceil(body.length / 4);
  if (path.endsWith('/count_tokens')) sendJson(response, 200, { input_tokens: tokens });
  else if (path.endsWith(':countTokens')) sendJson(response, 200, { totalTokens: tokens });
  else if (path.endsWith('/models')) sendJson(response, 200, { object: 'list', data: [], models: [] });
  else sendJson(response, 404, { error: { type: 'not_found_error', message: 'no such route' } });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync };
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return raw.toString('utf8');
  if (Object.hasOwn(unpack, encoding)) return unpack[encoding as keyof typeof unpack](raw).toString('utf8');
  throw new Error(`a request came in an encoding that is not known here: ${encoding}`);
}

/** A tool that a request offers. */
export type OfferedTool = {
  readonly name: string;
  /** The group that it is called in, where the format has groups. */
  readonly namespace: string | null;
  /** It takes one text instead of named values. */
  readonly freeText: boolean;
  /** Its parameters, each with its description. */
  readonly parameters: ReadonlyMap<string, string>;
};

/** What a request says, whatever its format. */
export type Conversation = {
  readonly model: string;
  readonly streams: boolean;
  readonly tools: readonly OfferedTool[];
  /** Results of the tools, in order. */
  readonly results: readonly string[];
};

/** A call in the terms of the agent that is to make it; `input` is one text for a free-text tool. */
export type ToolCall = {
  readonly name: string;
  readonly namespace: string | null;
  readonly input: Readonly<Record<string, unknown>> | string;
};

export type Answer = { readonly model: string; readonly text: string; readonly calls: readonly ToolCall[] };

/** One of the interfaces by which agents talk to models. */
export type WireFormat = {
  /** Whether a request to this path is one for an answer. */
  readonly matches: (path: string) => boolean;
  readonly read: (path: string, body: unknown) => Conversation;
  readonly whole: (answer: Answer) => unknown;
  /** The same as server-sent events, in pieces. */
  readonly pieces: (answer: Answer) => readonly string[];
  readonly failure: (status: number, message: string) => unknown;
};

type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The objects in a list; nothing where it isn't a list. */
export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The words in whatever a format allows as content: text, or parts with text. */
export function contentText(value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = list(value).map((part) => text(part.text));
  return parts.length > 0 ? parts.join('') : JSON.stringify(value ?? '');
}

/** Names and descriptions of the properties of a JSON Schema. */
export function parameters(schema: unknown): ReadonlyMap<string, string> {
  const properties = Object.entries(fields(fields(schema).properties));
  return new Map(properties.map(([name, property]) => [name, text(fields(property).description)]));
}

/** One server-sent event. */
export function event(data: unknown, name?: string): string {
  const head = name === undefined ? '' : `event: ${name}\n`;
  return `${head}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

let issued = 0;

/** A number that no other answer of this process has. */
export function freshId(prefix: string): string {
  issued += 1;
  return `${prefix}${String(issued).padStart(24, '0')}`;
}

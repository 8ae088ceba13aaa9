import { parse, type ValueNode } from '@humanwhocodes/momoa';
import * as z from 'zod/mini';

/** Either alphabet, as DSSE demands of readers. */
const Base64 = z.string().check(z.regex(/^[\w+/-]+={0,2}$/));

/** The JSON form of DSSE; other members don't count. */
const Envelope = z.object({
  payloadType: z.string(),
  payload: Base64,
  signatures: z.array(z.object({ keyid: z.optional(z.string()), sig: Base64 })),
});

/** A text with what it is, signed (DSSE, version 1). */
export type Envelope = {
  readonly type: string;
  readonly payload: Buffer;
  readonly signatures: readonly Buffer[];
};

type Read<T> =
  | { readonly ok: true; readonly value: T }
  /** Why it can't be read, as the end of a sentence about it. */
  | { readonly ok: false; readonly reason: string };

/** What is signed of a text: its type belongs to it, and neither can pass for a part of the other. */
export function signedBytes(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** The envelope as a line of JSON, with the signature of a key, which is named for readers alone. */
export function writeEnvelope(type: string, payload: string, keyid: string, signature: Buffer): string {
  const signatures = [{ keyid, sig: signature.toString('base64') }];
  const document = { payloadType: type, payload: Buffer.from(payload).toString('base64'), signatures };
  return `${JSON.stringify(document)}\n`;
}

export function readEnvelope(text: string): Read<Envelope> {
  const read = readExactly(text);
  if (!read.ok) return read;
  const parsed = Envelope.safeParse(read.value);
  if (!parsed.success)
    return { ok: false, reason: `isn't a signed envelope (${firstProblem(parsed.error)})` };
  const { payloadType, payload, signatures } = parsed.data;
  const bytes = (one: string) => Buffer.from(one, 'base64');
  return {
    ok: true,
    value: {
      type: payloadType,
      payload: bytes(payload),
      signatures: signatures.map(({ sig }) => bytes(sig)),
    },
  };
}

/** JSON in which no member stands twice: two readers could take different ones. */
export function readExactly(text: string): Read<unknown> {
  try {
    const twice = memberTwice(parse(text, { mode: 'json' }).body);
    if (twice !== null) return { ok: false, reason: `has ${JSON.stringify(twice)} twice` };
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    // Also one that is too deep.
    return { ok: false, reason: `isn't whole JSON (${(error as Error).message})` };
  }
}

function memberTwice(node: ValueNode): string | null {
  if (node.type !== 'Object' && node.type !== 'Array') return null;
  const names = new Set<string>();
  for (const one of node.type === 'Object' ? node.members : node.elements) {
    if (one.type === 'Member') {
      const name = one.name.type === 'String' ? one.name.value : one.name.name;
      if (names.has(name)) return name;
      names.add(name);
    }
    const below = memberTwice(one.value);
    if (below !== null) return below;
  }
  return null;
}

/** Where a document first differs from its schema: "predicate.verdict: Invalid option". */
export function firstProblem({ issues: [first] }: z.core.$ZodError): string {
  return [first?.path.join('.'), first?.message].filter(Boolean).join(': ');
}

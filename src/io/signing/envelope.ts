import { parse, type ValueNode } from '@humanwhocodes/momoa';
import * as z from 'zod/mini';

/** DSSE requires readers to accept both alphabets. */
const Base64 = z.string().check(z.regex(/^[\w+/-]+={0,2}$/));

/** DSSE as JSON; other members are ignored. */
const Envelope = z.object({
  payloadType: z.string(),
  payload: Base64,
  signatures: z.array(z.object({ keyid: z.optional(z.string()), sig: Base64 })),
});

/** A signed text with its type (DSSE, version 1). */
export type Envelope = {
  readonly type: string;
  readonly payload: Buffer;
  readonly signatures: readonly Buffer[];
};

type Read<T> =
  | { readonly ok: true; readonly value: T }
  /** End of a sentence about the text. */
  | { readonly ok: false; readonly reason: string };

/** Returns the bytes to sign, in which type and text can't be mistaken for parts of each other. */
export function signedBytes(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Returns the envelope as a JSON line; `keyid` is only a hint for readers. */
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

/** Rejects repeated members, of which two readers could use different ones. */
export function readExactly(text: string): Read<unknown> {
  try {
    const twice = memberTwice(parse(text, { mode: 'json' }).body);
    if (twice !== null) return { ok: false, reason: `has ${JSON.stringify(twice)} twice` };
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    // Nesting that is too deep also throws.
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

/** Returns the first difference from a schema: "predicate.verdict: Invalid option". */
export function firstProblem({ issues: [first] }: z.core.$ZodError): string {
  return [first?.path.join('.'), first?.message].filter(Boolean).join(': ');
}

import { readPlainFile } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import type * as z from 'zod/mini';
import type { StoredDocument } from '../../replay/index.ts';

export type Schema<T> = z.ZodMiniType<T>;

export function readDocument<T>(path: string, schema: Schema<T>): StoredDocument<T> {
  const bytes = bytesOf(path);
  if (bytes.kind !== 'read') return bytes;
  let data: unknown;
  try {
    data = JSON.parse(bytes.value.toString('utf8'));
  } catch {
    return { kind: 'damaged', reason: "it isn't valid JSON" };
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return { ...bytes, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { kind: 'damaged', reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'another form'}` };
}

export function bytesOf(path: string): StoredDocument<Buffer> {
  try {
    const file = readPlainFile(path);
    if (file.kind === 'absent') return file;
    if (file.kind === 'file') return { kind: 'read', value: file.bytes, sha256: sha256(file.bytes) };
    return { kind: 'damaged', reason: "it isn't a plain file" };
  } catch (error) {
    return { kind: 'damaged', reason: (error as Error).message };
  }
}

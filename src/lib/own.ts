/** A value under a key of the record's own: a task may be called `constructor`. `undefined` where there is none. */
export function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

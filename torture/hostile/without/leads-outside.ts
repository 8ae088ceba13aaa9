export function leadsOutside(): null {
  return null;
}

export function isBelow(): boolean {
  return true;
}

export function withoutNewLinks<T>(_root: string, _files: object, _notice: object, read: T): T {
  return read;
}

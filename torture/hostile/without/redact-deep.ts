export function shareable<T>(value: T): T {
  return value;
}

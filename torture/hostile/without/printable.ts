export function printable<T>(value: T): T {
  return value;
}

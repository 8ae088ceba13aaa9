// Takes every line for ralph's own.
export function isOwnLine(): boolean {
  return true;
}

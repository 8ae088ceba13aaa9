/** Replacement without the protection: git is asked for settings each time, also after agents have worked. */
export function once<T>(_known: unknown, _tree: unknown, _about: unknown, ask: () => Promise<T>): Promise<T> {
  return ask();
}

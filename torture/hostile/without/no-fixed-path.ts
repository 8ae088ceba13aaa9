/** Replacement without the protection: whatever task list is found is used. */
export function fixedPath({ path }: { readonly path: string }): string | null {
  return path === '' ? null : path;
}

/** Whatever is found. */
export function fixedPath({ path }: { readonly path: string }): string | null {
  return path === '' ? null : path;
}

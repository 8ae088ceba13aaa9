/** The module at this URL. A file of its own in dist/: the bundles are CommonJS, in which import() would become require(). */
export function importModule(url: string): Promise<unknown> {
  return import(url);
}

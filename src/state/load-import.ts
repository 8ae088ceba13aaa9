import type { importViews } from './import-views.ts';

/** Returns the function that imports documents: it knows the forms of ralph-gold, which few folders have. */
export async function loadImport(): Promise<typeof importViews> {
  return (await import('./import-views.ts')).importViews;
}

/** No text is ever read for what it checks. */
export function vacuousShell(_text: string): string | null {
  return null;
}

export function vacuousScript(_path: string, _text: string, _by: string): string | null {
  return null;
}

export const READS_SCRIPTS = /./;

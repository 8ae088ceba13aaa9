/** Calls that ask the network for something. */
export const ASKS =
  /\bget\s*\(?\s*["']https?:|\burlopen\b|\burlretrieve\b|\bgetstore\b|\brequests\.(?:get|post)\b|\bhttpx?\.get\b|\bfetch\s*\(|(?:file_get_contents|\bcopy|\bfopen|readfile|\bmirror|\bdownload\w*)\s*\(?\s*["']https?:|\bNet::HTTP\b|\bopen-uri\b|URI\.open|LWP::|HTTP::Tiny|\baxios\b|\bgot\s*\(|DownloadFile|DownloadString/;

const ADDRESS = /https?:\/\/(?:[^/@\s"'`]*@)?(\[[^\]]*\]|[\w.-]+)/g;
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\]|.*\.(?:localhost|local|test))$/i;

/** Whether a text asks another machine: one that names only this one doesn't. */
export function asksOutside(code: string): boolean {
  if (!ASKS.test(code)) return false;
  const hosts = [...code.matchAll(ADDRESS)].map(([, host = '']) => host);
  return hosts.length === 0 || !hosts.every((host) => LOCAL.test(host));
}

/** A way to open a file, or an encoding, and no name. */
const NO_NAME = /^(?:[rwa]b?\+?|utf-?8|latin-?1|hex|base64|GET|POST)$/i;

/** The files that a text may save what it asks for in, by its literals. */
export function fetchedFiles(code: string, literals: readonly string[]): readonly string[] {
  if (!asksOutside(code)) return [];
  return literals.filter(
    (text) =>
      /^[^\s:*?"'<>|]{1,200}$/.test(text) && /[\w.]/.test(text) && !NO_NAME.test(text) && text !== '/',
  );
}

/** Calls that run a file, or make it ready to be run. */
const RUNS_FILE =
  /\b(?:system|popen\w*|subprocess|exec\w*|spawn\w*|eval|call|run|check_\w+|require|import_module|runpy|run_path|source|load|do|include|chmod\w*|startfile|dlopen|CDLL|Popen)\b\s*[("'`[.]|`/;

/** What it fetches into a file it runs: the name stands there once more. */
export function runsFetched(code: string, literals: readonly string[]): boolean {
  if (!RUNS_FILE.test(code)) return false;
  return fetchedFiles(code, literals).some(
    (file) => literals.filter((text) => text.split(/[\s;&|]+/).includes(file)).length > 1,
  );
}

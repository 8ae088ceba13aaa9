/** Resolves a path like the system: links before a `..` are followed; a final link only with `through`. */
export function placedPath(
  path: string,
  cwd: string,
  realPath: (path: string) => string,
  through: boolean,
): string {
  const whole = path.startsWith('/') ? path : `${cwd}/${path}`;
  let at = '';
  for (const part of whole.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') at = parentOf(realPath(at === '' ? '/' : at)).replace(/\/$/, '');
    else at += `/${part}`;
  }
  if (at === '') return '/';
  if (through || /\/\.{0,2}$|(?:^|\/)\.\.?$/.test(path)) return realPath(at);
  return below(realPath(parentOf(at)), nameOf(at));
}

const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)(?:\/|$)/;

export function isTemporary(path: string): boolean {
  return TEMPORARY.test(path);
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function below(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

export function isBelow(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' : path.startsWith(`${folder}/`);
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}

/** Whether a name matches a pattern of one path part; brackets match any character. Linear in both. */
export function fitsPattern(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !/^[.[]/.test(pattern)) return false;
  const signs = pattern.match(/\[[^\]]*\]|[\s\S]/g) ?? [];
  let at = 0;
  let sign = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const current = signs[sign];
    if (current === '*') {
      star = sign;
      resume = at;
      sign += 1;
    } else if (current !== undefined && fitsSign(name[at], current)) {
      at += 1;
      sign += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      sign = star + 1;
    } else return false;
  }
  return signs.slice(sign).every((rest) => rest === '*');
}

function fitsSign(character: string | undefined, sign: string): boolean {
  return sign === '?' || (sign.length > 1 && sign.startsWith('[')) || sign === character;
}

/** Characters that may continue a folder's name. */
const IN_NAMES = String.raw`[\w.+@~\x80-\uffff-]`;

/** Replaces a folder in a text, including paths inside it; existing mentions of the new one stay. */
export function withFolder(text: string, from: string, to: string): string {
  if (from === '/' || !text.includes(from)) return text;
  const [before, after] = [from, to].map((path) => path.replace(/[^\w/]/g, '\\$&'));
  return text.replace(new RegExp(`${after}|${before}(?!${IN_NAMES})`, 'g'), () => to);
}

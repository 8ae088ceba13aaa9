/**
 * Where the system comes out: links in front of a `..` are followed before it leads upwards; a link at the end is
 * followed only where the path is `through` it.
 */
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

/** Whether a path lies in a folder of temporary files, or is one. */
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

/** Whether a name fits a pattern of one path part; a set in brackets counts as any character. Linear in both. */
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

/** What may follow a folder's name in the name of another one. */
const IN_NAMES = String.raw`[\w.+@~\x80-\uffff-]`;

/** A text in which one folder is named wherever it named another one, or what lies in that. What names the new one already stays. */
export function withFolder(text: string, from: string, to: string): string {
  if (from === '/' || !text.includes(from)) return text;
  const [before, after] = [from, to].map((path) => path.replace(/[^\w/]/g, '\\$&'));
  return text.replace(new RegExp(`${after}|${before}(?!${IN_NAMES})`, 'g'), () => to);
}

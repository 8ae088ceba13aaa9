import { start, startSync } from 'ralph-kit/programs/start/start-program';
import { takeSignals } from 'ralph-kit/take-signals';

/** Editors that take the line of a file as `+LINE`. */
const TAKES_LINE = /(?:^|\/)(?:n?vim?|vi|gvim|nano|micro|emacs|emacsclient|kak|ne|joe)$/;

/**
 * Opens a file or folder in the editor of your environment, or of your git settings, and waits until it is
 * closed. Resolves with why that failed; `null`: it worked.
 */
export async function openInEditor(path: string, line: number | null): Promise<string | null> {
  const editor = process.env.VISUAL || process.env.EDITOR || (inGitSettings('GIT_EDITOR') ?? '');
  if (editor === '') return 'No editor is set. Set EDITOR, such as EDITOR=vim';
  const [program = ''] = editor.split(/\s+/);
  const place = line !== null && TAKES_LINE.test(program) ? [`+${line}`] : [];
  const code = await ended(
    start('/bin/sh', ['-c', `${editor} "$@"`, editor, ...place, path], { stdio: 'inherit' }),
  );
  return code === 0 ? null : `${editor} ended with exit code ${code ?? 'none'}.`;
}

/** Shows text on the terminal in the pager of your environment or of your git settings, as git does. */
export async function showInPager(text: string): Promise<void> {
  const { GIT_PAGER: own, PAGER: usual = 'less' } = process.env;
  const pager = own ?? inGitSettings('GIT_PAGER') ?? usual;
  if (pager === '' || pager === 'cat' || process.env.TERM === 'dumb') {
    process.stdout.write(text);
    return;
  }
  const child = start('/bin/sh', ['-c', pager], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...process.env },
  });
  // You may leave the pager before it has read all of the text.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(text);
  const code = await ended(child);
  if (code === 127 || code === 126) process.stdout.write(text);
}

/**
 * Resolves with a program's exit code, 127 if it couldn't be started. Ctrl-C is for the program while it is open, so ralph
 * ignores it.
 */
async function ended(child: ReturnType<typeof start>): Promise<number | null> {
  const giveBack = takeSignals(['SIGINT'], () => undefined);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', resolve);
  });
  giveBack();
  return code;
}

/** Returns a program in your git settings; `null`: none. Those of the repository don't count: an agent may have written them. */
function inGitSettings(name: 'GIT_EDITOR' | 'GIT_PAGER'): string | null {
  const found = startSync('git', ['var', name], { cwd: '/' });
  return found.status === 0 ? found.stdout.trim() : null;
}

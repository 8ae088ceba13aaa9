import { start, startSync } from 'ralph-kit/programs/start/start-program';
import { takeSignals } from 'ralph-kit/take-signals';

/** Editors that take the line of a file as `+LINE`. */
const TAKES_LINE = /(?:^|\/)(?:n?vim?|vi|gvim|nano|micro|emacs|emacsclient|kak|ne|joe)$/;

/**
 * Opens a file or folder in the editor of your environment, or of your git settings, and waits until it is
 * closed. Resolves with why that failed; `null`: it worked.
 */
export async function openInEditor(path: string, line: number | null): Promise<string | null> {
  const editor = editorOf();
  if (editor === '') return 'No editor is set. Set EDITOR, such as EDITOR=vim';
  const [program = ''] = editor.split(/\s+/);
  const place = line !== null && TAKES_LINE.test(program) ? [`+${line}`] : [];
  const child = start('/bin/sh', ['-c', `${editor} "$@"`, editor, ...place, path], { stdio: 'inherit' });
  // Ctrl-C is for the editor while it is open, so ralph ignores it.
  const giveBack = takeSignals(['SIGINT'], () => undefined);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', resolve);
  });
  giveBack();
  return code === 0 ? null : `${editor} ended with exit code ${code ?? 'none'}.`;
}

function editorOf(): string {
  const { VISUAL: visual, EDITOR: usual } = process.env;
  const own = visual || usual;
  if (own !== undefined && own !== '') return own;
  const found = startSync('git', ['var', 'GIT_EDITOR'], { cwd: '/' });
  return found.status === 0 ? found.stdout.trim() : '';
}

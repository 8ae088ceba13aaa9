import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';

const PROGRAM = join(
  spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim(),
  'git-http-backend',
);

/**
 * Serves the repositories below a folder as a code host does, by git's own program, on a free port of the loopback.
 * `isDumb`: as plain files.
 */
export function serveGit(
  folder: string,
  isDumb = false,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const header = (name: string) => String(request.headers[name] ?? '');
    const child = spawn(PROGRAM, [], {
      env: {
        ...process.env,
        ...{
          GIT_PROJECT_ROOT: folder,
          GIT_HTTP_EXPORT_ALL: '1',
          PATH_INFO: path,
          QUERY_STRING: isDumb ? '' : query,
        },
        ...{ REQUEST_METHOD: request.method, REMOTE_USER: 'fleet', REMOTE_ADDR: '127.0.0.1' },
        ...{ CONTENT_TYPE: header('content-type'), CONTENT_LENGTH: header('content-length') },
        ...{ HTTP_CONTENT_ENCODING: header('content-encoding'), GIT_PROTOCOL: header('git-protocol') },
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.on('error', () => undefined);
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      for (const line of all.subarray(0, Math.max(end, 0)).toString('utf8').split('\r\n')) {
        const [name = '', value = ''] = line.split(/: (.*)/s);
        if (name === 'Status') response.statusCode = Number(value.slice(0, 3));
        else if (name !== '') response.setHeader(name, value);
      }
      response.end(all.subarray(end + 4));
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('no port'));
      resolve({ port: address.port, close: () => server.close().closeAllConnections() });
    });
  });
}

import { describe, expect, it } from 'vitest';
import { action, PLACE, stoppedBy } from '../../../../test/helpers/review-place.ts';

const UNSEEN = { ...PLACE, unseenInput: true };

const WAITS = [
  'bash',
  'sh -i',
  '/bin/bash --login',
  'bash -',
  'bash -s',
  'bash /dev/stdin',
  'exec bash',
  "bash -c 'exec sh'",
  'env -i bash',
  'sudo bash',
  'sudo -i',
  'sudo -s',
  'su',
  'su - bob',
  'cd src && zsh',
  'cat | bash',
  'base64 -d | bash',
  'python3',
  'python3.12 -q',
  'python3 -i x.py',
  'python3 -',
  'node',
  'node -i',
  'irb',
  'php -a',
  'psql',
  'psql -h db -U bob shop',
  'sqlite3 x.db',
  'mysql -u root',
  'redis-cli -h cache',
  'ssh host',
  'ssh -i key.pem bob@host',
  'sftp host',
  'docker exec -it web bash',
  'docker run --rm -it node:20 sh',
  'kubectl exec -i pod -- /bin/sh',
  'vim notes.md',
  'busybox sh',
  'timeout 60 bash',
  'source /dev/stdin',
];

const ENDS = [
  'bash build.sh',
  "bash -c 'npm test'",
  "bash -lc 'npm test'",
  'bash --version',
  'bash <(curl -s https://example.org/x)',
  "bash <<'EOF'\nnpm test\nEOF",
  'bash < build.sh',
  'cat build.sh | bash',
  'echo ls | sh -s',
  'echo ls | (cd src; sh)',
  'python3 x.py',
  'python3 -m pytest -q',
  "python3 -c 'print(1)'",
  "python3 - <<'EOF'\nprint(1)\nEOF",
  'python3 --version',
  'node x.js',
  'node --test',
  "node -e 'console.log(1)'",
  'psql -c "select 1"',
  'psql shop < dump.sql',
  'sqlite3 x.db "select 1"',
  'mysql -e "show tables"',
  'redis-cli ping',
  'ssh host uptime',
  'su -c "npm test" bob',
  'sudo npm test',
  'docker exec web npm test',
  'perl -pe s/a/b/ x',
  'vim --version',
  'cat > notes.md',
];

describe('programs that wait for commands', () => {
  it.each(WAITS)('denies %s where what is typed is not seen', (command) => {
    expect(stoppedBy(action('Bash', { command }), UNSEEN)).toContain('interactive_shell');
    expect(stoppedBy(action('Bash', { command }))).not.toContain('interactive_shell');
  });
  it.each(ENDS)('allows %s', (command) =>
    expect(stoppedBy(action('Bash', { command }), UNSEEN)).not.toContain('interactive_shell'),
  );
});

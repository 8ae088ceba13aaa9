import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/actions/review/index.ts';
import { action, commandRuling, PLACE, ROOT } from './place.ts';

/** The places that a command writes or deletes, as the rules see them. */
function changed(command: string, place = PLACE): readonly string[] {
  const { effects } = explain(action('Bash', { command }), place);
  return effects.flatMap((effect) =>
    'spots' in effect && (effect.kind === 'writes' || effect.kind === 'deletes')
      ? effect.spots().map((spot) => {
          const at =
            spot.kind === 'path'
              ? spot.path
              : spot.kind === 'entries'
                ? `${spot.folder}/${spot.pattern}`
                : '?';
          return `${effect.kind} ${at.replace(ROOT, '.')}`;
        })
      : [],
  );
}

describe('a path in a container', () => {
  it.each<[string, readonly string[]]>([
    // Behind a mount it is this machine's.
    ['docker run -v $PWD:/w alpine rm -rf /w/dist', ['deletes ./dist']],
    ['docker run -v "$(pwd)":/w alpine rm -rf /w/dist', ['deletes ./dist']],
    ['docker run --volume=.:/w alpine rm -rf /w/dist', ['deletes ./dist']],
    ['podman run --mount type=bind,source=$PWD/src,target=/s alpine rm -rf /s/old', ['deletes ./src/old']],
    ['nerdctl run --mount type=bind,src=.,dst=/s alpine touch /s/a', ['writes ./a']],
    ['docker container run -v $PWD:/w alpine sh -c "cd /w && rm -rf dist"', ['deletes ./dist']],
    ['docker compose run -v $PWD:/w web rm /w/a', ['deletes ./a']],
    ['docker run -v $PWD:/w alpine sh -c "echo x > /w/a"', ['writes ./a']],
    ['docker run -v $PWD:/w -w /w alpine rm -rf dist', ['deletes ./dist']],
    ['docker run -v $PWD:/w -w /w/src alpine rm -rf ../dist', ['deletes ./dist']],
    ['cd packages && docker run -v $PWD:/w alpine rm /w/a', ['deletes ./packages/a']],
    ['docker run -v /srv/data:/d alpine rm -rf /d/x', ['deletes /srv/data/x']],
    ['docker run -v /:/host alpine rm -rf /host/etc/x', ['deletes /etc/x']],
    ['docker run -v $PWD:/w -v /srv:/w/srv alpine rm -rf /w/srv/x', ['deletes /srv/x']],
    [`docker run -v $PWD:/w python python -c "import os; os.remove('/w/a')"`, ['deletes ./a']],
    ['docker run -v $PWD:/w --entrypoint rm alpine -rf /w/dist', ['deletes ./dist']],
    ['docker run -v $PWD:/w alpine timeout 5 env A=b rm /w/a', ['deletes ./a']],
    // What lies above a mount takes it along.
    ['docker run -v $PWD:/w alpine rm -rf /', ['deletes .']],
    ['docker run -v $PWD/a:/w/a alpine rm -rf /w', ['deletes ./a']],
    ['docker run -v $PWD:/w alpine sh -c "rm -rf /*"', ['deletes .']],
    ['docker run -v $PWD:/w alpine sh -c "rm -rf /v*"', []],
    ['docker run -v $PWD:/w alpine rm /w', ['deletes .']],
    // Where the image decides the folder, it may be the one that is mounted.
    ['docker run -v $PWD:/w alpine rm -rf dist', ['deletes ./dist']],
    // Only inside of the container.
    ['docker run alpine rm -rf /', []],
    ['docker run -v $PWD:/w alpine rm -rf /var/cache', []],
    ['docker run -v $PWD:/w:ro alpine rm -rf /w/dist', []],
    ['docker run --mount type=bind,source=.,target=/w,readonly alpine rm -rf /w/dist', []],
    ['docker run -v data:/w alpine rm -rf /w', []],
    ['docker exec web rm -rf /var/lib/app', []],
    ['docker exec web sh -c "rm -rf /tmp/*; echo x > /etc/y"', []],
    ['docker compose run --rm web rm -rf /app/tmp', []],
    ['docker compose exec -T db rm /var/lib/x', []],
    [`docker run python python -c "import shutil; shutil.rmtree('/data')"`, []],
    ['docker run alpine sh -c \'rm -rf "$X"\'', []],
    // Not known.
    ['docker run -v "$DIR:/w" alpine rm -rf /w/x', ['deletes ?']],
    ['docker run -v $PWD:/w alpine sh -c \'rm -rf "$X"\'', ['deletes .', 'deletes ./\uE000']],
    // In and out.
    ['docker cp web:/a /srv/b', ['writes /srv/b']],
    ['docker cp ./a web:/etc/b', []],
    ['docker compose cp web:/a ./b', ['writes ./b']],
    ['kubectl cp ns/pod:/a ./b', ['writes ./b']],
    ['docker save -o /srv/image.tar alpine', ['writes /srv/image.tar']],
    ['docker export web > web.tar', ['writes ./web.tar']],
  ])('%s', (command, expected) => expect(changed(command)).toEqual(expected));

  it.each([
    ['docker run -v $PWD:/w alpine rm -rf /w', 'deletion_outside'],
    ['docker run -v $PWD:/w alpine rm -rf /', 'deletion_outside'],
    ['docker run -v $PWD:/w alpine sh -c "rm -rf /w/.ralph"', 'protected_write'],
    ['docker run -v $PWD:/w alpine sh -c "echo x > /w/.git/hooks/pre-commit"', 'write_git_folder'],
    ['docker run -v "$DIR:/w" alpine rm -rf /w/x', 'unknown_target'],
    ['docker run -v /srv:/d alpine rm -rf /d/x', 'deletion_outside'],
    ['docker run -v $PWD:/w alpine rm -rf /w/dist', 'allow'],
    ['docker run --rm alpine rm -rf /', 'allow'],
    ['docker exec web rm -rf /var/lib/app', 'prevent_destroying_services'],
    ['docker exec web rm -rf /app/tmp/cache', 'allow'],
  ])('%s is ruled by %s', (command, rule) => expect(commandRuling(command)).toBe(rule));

  it('runs a script that lies behind a mount, as it is here', () => {
    const writtenText = (path: string) => (path === `${ROOT}/x.sh` ? 'rm -rf /w /opt\n' : null);
    const place = { ...PLACE, writtenText };
    expect(changed('docker run -v $PWD:/w alpine sh /w/x.sh', place)).toEqual(['deletes .']);
    expect(changed('docker run -v $PWD:/w alpine /w/x.sh', place)).toEqual(['deletes .']);
    expect(changed('docker run alpine sh /w/x.sh', place)).toEqual([]);
  });
});

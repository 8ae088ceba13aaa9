import { explain } from 'ralph-actions/review';
import { describe, expect, it } from 'vitest';
import { action, commandRuling, PLACE, ROOT } from '../../../../test/helpers/review-place.ts';

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

describe('what is done in a container is done to its own files', () => {
  it.each<[string, readonly string[]]>([
    // The deletion happens only inside of the container.
    ['docker run alpine rm -rf /', []],
    ['docker run -v $PWD:/w alpine rm -rf /var/cache', []],
    ['docker run -v $PWD:/w alpine rm -rf /w/dist', []],
    ['docker run -v data:/w alpine rm -rf /w', []],
    ['docker exec web rm -rf /var/lib/app', []],
    ['docker exec web sh -c "rm -rf /tmp/*; echo x > /etc/y"', []],
    ['docker compose run --rm web rm -rf /app/tmp', []],
    ['docker compose exec -T db rm /var/lib/x', []],
    [`docker run python python -c "import shutil; shutil.rmtree('/data')"`, []],
    ['docker run alpine sh -c \'rm -rf "$X"\'', []],
    // `docker cp` copies into a container and out of it.
    ['docker cp web:/a /srv/b', ['writes /srv/b']],
    ['docker cp ./a web:/etc/b', []],
    ['docker compose cp web:/a ./b', ['writes ./b']],
    ['kubectl cp ns/pod:/a ./b', ['writes ./b']],
    ['docker save -o /srv/image.tar alpine', ['writes /srv/image.tar']],
    ['docker export web > web.tar', ['writes ./web.tar']],
  ])('%s', (command, expected) => expect(changed(command)).toEqual(expected));

  it.each([
    ['docker run -v $PWD:/w alpine rm -rf /w/dist', 'allow'],
    ['docker run --rm alpine rm -rf /', 'allow'],
    ['docker exec web rm -rf /var/lib/app', 'prevent_destroying_services'],
    ['docker exec web rm -rf /app/tmp/cache', 'allow'],
  ])('%s is ruled by %s', (command, rule) => expect(commandRuling(command)).toBe(rule));
});

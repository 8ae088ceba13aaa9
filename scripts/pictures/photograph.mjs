import { execFileSync } from 'node:child_process';
import { accessSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Returns the path of Chromium; `null`: it isn't installed. */
export function chromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(isThere) ?? null;
}

function isThere(path) {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Makes a PNG of a file as a browser shows it, from the top of the page. */
export function photograph(program, { file, image, width, height, dark, profile }) {
  const args = [
    // The page is painted completely before the picture is taken.
    ...['--run-all-compositor-stages-before-draw', '--virtual-time-budget=1000'],
    ...['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--user-data-dir=${profile}`],
    ...[`--blink-settings=preferredColorScheme=${dark ? 0 : 1}`, `--window-size=${width},${height}`],
    ...[`--screenshot=${image}`, String(pathToFileURL(file))],
  ];
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'ignore'] });
}

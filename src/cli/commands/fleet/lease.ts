import { Option } from 'commander';
import { wholeNumber } from '../../call.ts';

/** Returns the option `--lease`. The default gives a busy machine enough time to answer. */
export function lease(): Option {
  return new Option('--lease <seconds>', 'how long a silent worker keeps its job')
    .argParser(wholeNumber)
    .default(30);
}

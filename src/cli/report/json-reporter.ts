import type { CliIo } from '../cli-io.js';
import { jsonLine } from './json-line.js';
import { jsonOf } from './json-of.js';
import type { Reporter } from './reporter.js';

/** Writes each event as one JSON object a line on standard output, `hide` applied, and nothing anywhere else. */
export const jsonReporter = (io: Pick<CliIo, 'stdout'>, hide: (text: string) => string): Reporter => ({
  report: (event) => {
    const json = jsonOf(event);
    if (json !== undefined) io.stdout.write(`${hide(jsonLine(json))}\n`);
  },
  close: () => undefined,
});

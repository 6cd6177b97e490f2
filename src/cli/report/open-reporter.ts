import type { CliIo } from '../cli-io.js';
import { pictureKind } from '../picture/encode-picture.js';
import { jsonReporter } from './json-reporter.js';
import { liveReporter } from './live-reporter.js';
import { plainReporter } from './plain-reporter.js';
import type { Reporter } from './cli-event.js';

/** The options that choose how a command reports. */
export interface ReportFlags {
  readonly json?: boolean;
  /** False after `--no-preview`. */
  readonly preview?: boolean;
}

/**
 * Chooses the reporter: JSON where asked for, a live block on a terminal that can, else lines that stay. Every line passes
 * `hide`.
 */
export const openReporter = (
  io: CliIo,
  { json = false, preview = true }: ReportFlags,
  hide: (text: string) => string,
): Reporter => {
  if (json) return jsonReporter(io, hide);
  const capable = io.isTTY && io.env['TERM'] !== 'dumb';
  const colour = capable && (io.env['NO_COLOR'] ?? '') === '';
  if (!capable) return plainReporter(io, { colour, hide });
  return liveReporter(io, { colour, pictures: preview ? pictureKind(io.env) : 'none', hide });
};

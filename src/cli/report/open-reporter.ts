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
 * Chooses the reporter: JSON with `--json`, a live block on a capable terminal, otherwise plain lines. Every line is
 * redacted.
 */
export const openReporter = (
  io: CliIo,
  { json = false, preview = true }: ReportFlags,
  redact: (text: string) => string,
): Reporter => {
  if (json) return jsonReporter(io, redact);
  const capable = io.isTTY && io.env['TERM'] !== 'dumb';
  const colour = capable && (io.env['NO_COLOR'] ?? '') === '';
  if (!capable) return plainReporter(io, { colour, redact });
  return liveReporter(io, { colour, pictures: preview ? pictureKind(io.env) : 'none', redact });
};

import type { CliIo } from '../cli-io.js';
import { escapeRisky } from '../escape-risky.js';
import { type EventLines, shownLength } from './event-lines.js';
import { type Line, paint, type PaintOptions, safeLine } from '../terminal/line.js';

/**
 * Prints what an event says, redacted: notes on standard error, results on standard output. A terminal gets what is safe for it; a pipe
 * or a file gets data byte for byte, and lines at their full length.
 */
export const printEvent = (
  { stdout, stderr, showsResults }: Pick<CliIo, 'stdout' | 'stderr' | 'showsResults'>,
  { results = [], data = '', notes = [] }: EventLines,
  options: PaintOptions,
): void => {
  const { redact = (text: string) => text } = options;
  const maxLength = showsResults ? undefined : Infinity;
  const shown = redact(data);
  for (const line of shown === data ? notes : [...notes, redactedNote])
    stderr.write(`${paint(line, options)}\n`);
  for (const line of results) stdout.write(`${paint(line, { ...options, colour: false, maxLength })}\n`);
  if (data !== '') stdout.write(`${showsResults ? safeLines(shown, redact) : shown}\n`);
};

/** How long values of workflows in lines may be: whole where a program reads them. */
export const valueLength = ({ showsResults }: Pick<CliIo, 'showsResults'>): number =>
  showsResults ? shownLength : Infinity;

const redactedNote: Line = [
  { text: 'Warning: ', style: 'yellow' },
  'the result holds a key, which is [redacted] here; where the command takes --output, that file has it whole',
];

/** JSON and code mean the same where risky characters are escaped; nothing is left then that has to be taken out. */
const safeLines = (text: string, redact: (text: string) => string): string =>
  escapeRisky(text)
    .split('\n')
    .map((line) => safeLine(line, { maxLength: Infinity, redact }))
    .join('\n');

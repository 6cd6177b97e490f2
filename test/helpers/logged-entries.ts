import type { LogDetails, Logger } from '../../src/core/log/logger.js';

/** One entry of a log. */
export interface LogEntry {
  readonly level: keyof Logger;
  readonly message: string;
  readonly details: LogDetails;
}

/** A logger that keeps its entries. */
export const loggedEntries = (): { readonly logger: Logger; readonly entries: LogEntry[] } => {
  const entries: LogEntry[] = [];
  const write =
    (level: keyof Logger): Logger['debug'] =>
    (message, details) =>
      void entries.push({ level, message, details });
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return { logger, entries };
};

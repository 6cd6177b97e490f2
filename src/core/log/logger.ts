/** What a log entry says beside its message: no headers, no bodies, no queries. */
export type LogDetails = Readonly<Record<string, string | number | undefined>>;

/** Writes one entry. */
export type WriteLog = (message: string, details: LogDetails) => void;

/**
 * Takes what a program wants to know about promptwire's work; `console` is one.
 *
 * Each entry is one sentence or request, with its details beside it. Keys are redacted in both. What a logger throws is ignored.
 *
 * @example
 * ```ts
 * import { createClient, type Logger } from 'promptwire';
 *
 * const quiet: Logger = { ...console, debug: () => undefined };
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local', logger: quiet });
 * ```
 */
export interface Logger {
  /** Each request, with its status, its duration (`ms`) and the service's id of it (`requestId`). */
  readonly debug: WriteLog;
  /** Jobs as they begin and end, and connections as they open. */
  readonly info: WriteLog;
  /** What heals by itself or asks for a look: lost connections, settings, calls that were made and never run. */
  readonly warn: WriteLog;
  /** What does not heal by itself: a refused key, a paused queue, a handler that threw. */
  readonly error: WriteLog;
}

/** The levels of a {@link Logger}. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;

/** The logger of an option, whose entries are redacted and which never throws; undefined if the option is not set. */
export const readLogger = (
  logger: Logger | undefined,
  redact: (text: string) => string = (text) => text,
): Logger | undefined => {
  if (logger === undefined) return undefined;
  const write =
    (level: keyof Logger): WriteLog =>
    (message, details) => {
      try {
        logger[level](
          redact(message),
          Object.fromEntries(
            Object.entries(details)
              .filter(([, value]) => value !== undefined)
              .map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
          ),
        );
      } catch {
        // The work goes on without its log.
      }
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
};

/** Whether a value can be the option `logger`. */
export const isLogger = (value: unknown): value is Logger =>
  typeof value === 'object' &&
  value !== null &&
  logLevels.every((level) => typeof (value as Partial<Logger>)[level] === 'function');

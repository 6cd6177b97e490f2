import * as E from '../../protocol/either.js';
import type { Endpoint } from '../endpoint.js';
import { isJsonObject } from '../../protocol/json/json.js';

/** `GET /internal/logs/raw`: what the engine wrote last (docs/protocol.md, chapter 11). */
export const engineLogsEndpoint = (): Endpoint<EngineLogs> => ({
  method: 'GET',
  // Routes of this kind have no form below `/api`.
  path: '/internal/logs/raw',
  idempotency: 'always',
  read: readEngineLogs,
});

/** The latest lines of an engine's log. */
export interface EngineLogs {
  /** The oldest first. */
  readonly entries: readonly EngineLogEntry[];
  /** The size of its terminal, where it tells it. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

/** One line of the log, or a part of one. */
export interface EngineLogEntry {
  /** When it was written, as the engine tells it: such as `2026-11-26T19:02:00.123456`, without a zone. */
  readonly time: string;
  /** Its text, with the line break. */
  readonly text: string;
}

/** Reads the log and leaves out malformed entries. Left if the answer has no list of entries. */
export const readEngineLogs = (json: unknown): E.Either<string, EngineLogs> => {
  if (!isJsonObject(json) || !Array.isArray(json['entries'])) return E.left('the log has no entries');
  const entries = json['entries'].flatMap((entry: unknown): readonly EngineLogEntry[] => {
    if (!isJsonObject(entry) || typeof entry['m'] !== 'string') return [];
    const { t: time, m: text } = entry;
    return [{ time: typeof time === 'string' || typeof time === 'number' ? String(time) : '', text }];
  });
  const { cols: columns, rows } = isJsonObject(json['size']) ? json['size'] : {};
  return E.right({
    entries,
    ...(typeof columns === 'number' && typeof rows === 'number' && { size: { columns, rows } }),
  });
};

import type { JobRecord } from '../../joblog/job-index.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { parseExactJson } from '../../../core/protocol/json/exact-json.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';

/** The fields of a record as the scripts give them: names and values in turn. */
export type Fields = readonly string[];

/** The format of records that this version writes, and the newest one that it reads. */
const format = 1;

/** A record, and what stands for it in Redis where its own text can't be read. */
export interface ReadGatewayRecord {
  readonly record: JobRecord;
  readonly standIn?: JobRecord;
}

/**
 * Reads the fields of a record; undefined for no fields, or for a later format, which is left to the processes that know it.
 *
 * What can't be read is replaced by what the other fields say of the job.
 */
export const readGatewayRecord = (fields: Fields): ReadGatewayRecord | undefined => {
  const values = new Map<string, string>();
  for (let index = 0; index < fields.length; index += 2) {
    values.set(fields[index] ?? '', fields[index + 1] ?? '');
  }
  const [id, owner] = [values.get('id'), values.get('owner')];
  if (id === undefined || owner === undefined || Number(values.get('format') ?? format) > format)
    return undefined;
  const kept = readText(values.get('record'), id, owner);
  const base = kept ?? standInOf(id, owner, values);
  const [promptId, cancelRequestedAt] = [values.get('promptId'), values.get('cancelRequestedAt')];
  const place = placeOf(values.get('place'));
  const ended = endOf(values.get('phase'), Number(values.get('endedAt')));
  const record: JobRecord = {
    ...base,
    expiresAt: numberIn(values, 'expiresAt', base.expiresAt),
    ...(promptId !== undefined && { promptId }),
    ...(place !== undefined && { place }),
    ...(cancelRequestedAt !== undefined && {
      cancelRequestedAt: numberIn(values, 'cancelRequestedAt', base.createdAt),
    }),
    ...(ended !== undefined && { ended }),
  };
  return kept === undefined ? { record, standIn: base } : { record };
};

const ends: ReadonlySet<string> = new Set<TerminalPhase>([
  'completed',
  'failed',
  'cancelled',
  'untraceable',
  'unknown',
]);

/** An end that can't be read is that of the job's events. */
const endOf = (phase: string | undefined, at: number): JobRecord['ended'] =>
  phase !== undefined && ends.has(phase) && Number.isFinite(at)
    ? { phase: phase as TerminalPhase, at }
    : undefined;

/** What can't be read is looked for as if the job had no place. */
const placeOf = (text: string | undefined): JobRecord['place'] => {
  try {
    const place: unknown = parseExactJson(text ?? '');
    return isJsonObject(place) && typeof place['server'] === 'string'
      ? (place as unknown as JobRecord['place'])
      : undefined;
  } catch {
    return undefined;
  }
};

const readText = (text: string | undefined, id: string, owner: string): JobRecord | undefined => {
  try {
    const record = parseExactJson(text ?? '');
    const isWhole =
      isJsonObject(record) &&
      record['id'] === id &&
      record['owner'] === owner &&
      typeof record['client'] === 'string' &&
      typeof record['submissionId'] === 'string' &&
      isJsonObject(record['workflow']);
    return isWhole ? (record as unknown as JobRecord) : undefined;
  } catch {
    return undefined;
  }
};

const standInOf = (id: string, owner: string, values: ReadonlyMap<string, string>): JobRecord => {
  const key = values.get('key') ?? '';
  return {
    ...{ id, owner, client: '', submissionId: '', workflow: {}, unreadable: true },
    createdAt: numberIn(values, 'createdAt', 0),
    expiresAt: numberIn(values, 'expiresAt', Number.MAX_SAFE_INTEGER),
    ...(key !== '' && { key }),
  };
};

const numberIn = (values: ReadonlyMap<string, string>, name: string, otherwise: number): number => {
  const number = Number(values.get(name) ?? Number.NaN);
  return Number.isFinite(number) ? number : otherwise;
};

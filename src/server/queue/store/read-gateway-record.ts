import type { JobRecord } from '../../joblog/job-index.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { areObjects, isAbsentOr, isListOf, isNumber, isText } from './event-shapes.js';
import { readingStoredJson, readStoredJson } from './read-stored-json.js';
import type { Steps } from '../../../core/protocol/steps.js';
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
 * Reads the fields of a record, which may be large, in steps; undefined for no fields, or for a later format, which is left to the processes
 * that know it.
 *
 * What can't be read is replaced by what the other fields say of the job.
 */
export function* readingGatewayRecord(fields: Fields): Steps<ReadGatewayRecord | undefined> {
  const values = new Map<string, string>();
  for (let index = 0; index < fields.length; index += 2) {
    values.set(fields[index] ?? '', fields[index + 1] ?? '');
  }
  const [id, owner] = [values.get('id'), values.get('owner')];
  if (id === undefined || owner === undefined || Number(values.get('format') ?? format) > format)
    return undefined;
  const kept = yield* readingText(values.get('record'), id, owner);
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
}

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
const placeOf = (text = ''): JobRecord['place'] => {
  const place = readStoredJson(text);
  return isPlace(place) ? (place as unknown as JobRecord['place']) : undefined;
};

const isPlace = (value: unknown): value is Members => isJsonObject(value) && isText(value['server']);

function* readingText(text: string | undefined, id: string, owner: string): Steps<JobRecord | undefined> {
  const record = yield* readingStoredJson(text ?? '');
  return isJsonObject(record) && record['id'] === id && record['owner'] === owner && isRecord(record)
    ? (record as unknown as JobRecord)
    : undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Whether a record has the members that a gateway relies on. */
const isRecord = (record: Members): boolean => {
  const { client, submissionId, createdAt, expiresAt, workflow, metadata, kept, place, ended } = record;
  return (
    [client, submissionId].every(isText) &&
    [createdAt, expiresAt].every(isNumber) &&
    isJsonObject(workflow) &&
    areObjects(workflow) &&
    ['key', 'template', 'promptId'].every((name) => isAbsentOr(isText)(record[name])) &&
    isAbsentOr(isNumber)(record['cancelRequestedAt']) &&
    isAbsentOr(isTexts)(metadata) &&
    isAbsentOr(isKept)(kept) &&
    isAbsentOr(isPlace)(place) &&
    isAbsentOr(isEnd)(ended)
  );
};

const isTexts = (value: unknown): boolean => isJsonObject(value) && Object.values(value).every(isText);

const isKept = (value: unknown): boolean =>
  isJsonObject(value) &&
  isAbsentOr((workflow) => isJsonObject(workflow) && areObjects(workflow))(value['workflow']) &&
  isAbsentOr(isJsonObject)(value['extraData']) &&
  isAbsentOr(isListOf(isJsonObject))(value['files']);

const isEnd = (value: unknown): boolean =>
  isJsonObject(value) && isText(value['phase']) && ends.has(value['phase']) && isNumber(value['at']);

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

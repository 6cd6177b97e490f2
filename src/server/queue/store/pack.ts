import { areObjects, isAbsentOr } from './event-shapes.js';
import { constants } from 'node:buffer';
import { gunzip, gzip, type ZlibOptions } from 'node:zlib';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { promisify } from 'node:util';
import { credentialFields } from '../../../core/redaction/credential-fields.js';
import { readStoredJson } from './read-stored-json.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { turnForLargeText } from '../../joblog/turn-for-large.js';
import type { StoredWorkflow } from './job-store.js';
import { writeMembers } from '../../../core/protocol/json/write-once.js';

/** Off the event loop: a large workflow takes a second. */
const compress = promisify<Buffer, Buffer>(gzip);
const decompress = promisify<Buffer, ZlibOptions, Buffer>(gunzip);

/** How many bytes a packed workflow may have where a queue sets no other bound: 32 MiB. */
export const defaultWorkflowBytes = 32 * 2 ** 20;

/**
 * Packs a workflow for the store.
 *
 * Rejects with `InvalidConfig` for extra data with a credential, and `TooLarge` for a workflow that has more bytes, compressed, than
 * may be, or four times as many characters.
 */
export const pack = async (
  { workflow, extraData, ephemeral }: StoredWorkflow,
  maxBytes: number,
): Promise<Buffer> => {
  const found = Object.keys(extraData ?? {}).find((name) => credentialFields.has(name));
  if (found !== undefined) {
    throw serviceError('InvalidConfig', {
      option: 'extraData',
      message: `extraData holds a credential (${found}), which a queue never stores.`,
      hint: 'Give the key to the workers: each one adds its own.',
    });
  }
  const text = writeMembers({ workflow, extraData, ...(ephemeral === true && { ephemeral }) });
  const most = maxUnpacked(maxBytes);
  if (text.length > most) throw tooLarge(`${text.length} characters`, `${most}, four times`);
  // It has been written in this turn, and is encoded in another one.
  await turnForLargeText(text);
  const packed = await compress(Buffer.from(text));
  if (packed.length > maxBytes) throw tooLarge(`${packed.length} bytes, compressed`, `${maxBytes},`);
  return packed;
};

/** What is small compressed may fill the memory of a worker. */
const maxUnpacked = (maxBytes: number): number => 4 * maxBytes;

const tooLarge = (has: string, most: string): Error =>
  serviceError('TooLarge', {
    message: `The workflow has ${has}; this queue stores at most ${most} the bound of maxWorkflowBytes.`,
    hint: 'Upload large data as files, and name them in the workflow, or raise maxWorkflowBytes.',
  });

/** Unpacks what {@link pack} packed; rejects for anything else, before it has more bytes than a text may have. */
export const unpack = async (packed: Buffer): Promise<StoredWorkflow> => {
  const text = (await decompress(packed, { maxOutputLength: constants.MAX_STRING_LENGTH })).toString('utf8');
  const stored = readStoredJson(text);
  if (!isStored(stored)) throw new Error('It is no workflow.');
  const { workflow, extraData, ephemeral } = stored;
  return { workflow, extraData, ...(ephemeral === true && { ephemeral }) };
};

const isStored = (value: unknown): value is StoredWorkflow =>
  isJsonObject(value) &&
  isJsonObject(value['workflow']) &&
  areObjects(value['workflow']) &&
  isAbsentOr(isJsonObject)(value['extraData']);

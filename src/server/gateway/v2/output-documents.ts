import type { FileRef } from '../../../core/protocol/file-ref.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import { fileId } from '../../../core/state/outputs.js';
import { type NodeFile, nodeFiles } from '../../../core/state/node-files.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { mediaTypeOfName } from '../../../core/protocol/media-type.js';
import { type CallerBase, timestamp, type V2Output, type V2OutputType } from './documents.js';

/** Bytes of outputs by their id, as far as they are known. */
export type OutputSizes = ReadonlyMap<string, number>;

/** One output of a job with the file that it stands for. */
export interface JobOutput {
  /** Names it to callers: only who has the job's id can guess it, and only the job's owner may use it. */
  readonly id: string;
  readonly nodeId: string;
  /** A bare file name. */
  readonly name: string;
  readonly type: V2OutputType;
  readonly contentType: string;
  /** As the service's record has it. */
  readonly sizeBytes: number | undefined;
  readonly hash: string | null;
  /** What `view` takes. */
  readonly file: FileRef;
}

/**
 * Lists the outputs of a job: its files in the order of the nodes, of a node's temporary files only where it made no others. What is
 * no file, as texts and flags, has no form in API v2.
 */
export const outputsOfJob = ({ record, state }: GatewayJob): readonly JobOutput[] =>
  Object.entries(state.outputs).flatMap(([nodeId, node]) => {
    const files = nodeFiles(node).map((file) => readOutput(record.id, nodeId, file));
    const lasting = files.filter(({ file }) => file.type !== 'temp');
    return lasting.length > 0 ? lasting : files;
  });

/** Finds an output by its id; undefined if the job has none of that id. */
export const findOutput = (job: GatewayJob, outputId: string): JobOutput | undefined =>
  outputsOfJob(job).find(({ id }) => id === outputId);

/** The id of the job that an output's id is bound to; undefined for what is no output's id. */
export const jobOfOutput = (outputId: string): string | undefined =>
  /^([\w-]{1,200})\.[0-9a-f]{16}$/u.exec(outputId)?.[1];

/** Writes all outputs of a job. */
export const outputDocuments = (
  job: GatewayJob,
  base: CallerBase,
  sizes?: OutputSizes,
): readonly V2Output[] => outputsOfJob(job).map((output) => outputDocument(job, output, base, sizes));

/** Writes one output; its address is absolute, on the origin that the caller used, so that the caller's key goes along. */
export const outputDocument = (
  { record }: Pick<GatewayJob, 'record'>,
  { id, nodeId, name, type, contentType, sizeBytes, hash }: JobOutput,
  base: CallerBase,
  sizes?: OutputSizes,
): V2Output => ({
  node_id: nodeId,
  name,
  type,
  content_type: contentType,
  size_bytes: sizeBytes ?? sizes?.get(id) ?? 0,
  id,
  hash,
  url: `${base}/api/v2/assets/${id}/content`,
  url_expires_at: timestamp(record.expiresAt),
  job_id: record.id,
});

const readOutput = (jobId: string, nodeId: string, { key, element, descriptor }: NodeFile): JobOutput => {
  const { format, ...file } = descriptor;
  const {
    size_bytes: size,
    hash,
    type,
  }: Readonly<Record<string, unknown>> = isJsonObject(element) && isJsonObject(element['asset'])
    ? element['asset']
    : {};
  const contentType =
    (format !== undefined && isMediaType.test(format) ? format.toLowerCase() : undefined) ??
    mediaTypeOfName(file.filename) ??
    'application/octet-stream';
  return {
    id: `${jobId}.${fnv64(JSON.stringify([nodeId, fileId(element, key)]))}`,
    nodeId,
    name: bareName(file.filename),
    type: isOutputType(type) ? type : typeOf(key, contentType),
    contentType,
    sizeBytes: typeof size === 'number' && Number.isSafeInteger(size) && size > 0 ? size : undefined,
    hash: typeof hash === 'string' && isHash.test(hash) ? hash : null,
    file,
  };
};

/** The last part of a name, whatever folders a node wrote into it. */
const bareName = (filename: string): string => {
  const name = filename.split(/[/\\]/u).at(-1) ?? '';
  return name === '' || name === '.' || name === '..' ? 'output' : name;
};

const isMediaType = /^(?:image|video|audio|text|model|application)\/[\w.+-]+$/iu;

/** A BLAKE3 hash as API v2 writes it. */
const isHash = /^blake3:[0-9a-f]{64}$/u;

const typeOf = (key: string, contentType: string): V2OutputType => {
  if (key === 'latents') return 'latent';
  const [family = ''] = contentType.split('/');
  if (family === 'image') return key === 'gifs' ? 'video' : 'image';
  return family === 'video' || family === 'audio' || family === 'text' ? family : 'file';
};

const isOutputType = (type: unknown): type is V2OutputType =>
  typeof type === 'string' && ['image', 'video', 'audio', 'text', 'file', 'latent'].includes(type);

/**
 * FNV-1a of 64 bits: tells the outputs of one job apart, and stays the same when others join them. Each half is a number, as a `bigint` for each
 * byte takes a list of many outputs a turn of the event loop: the prime is 2^40 + 0x1b3.
 */
const fnv64 = (text: string): string => {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (high * 0x1b3 + low * 0x100 + Math.floor(product / 2 ** 32)) >>> 0;
    low = product >>> 0;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
};

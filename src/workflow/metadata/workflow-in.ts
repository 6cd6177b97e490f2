import { type ByteReader, createByteReader } from './byte-reader.js';
import { createFindings, type EmbeddedJson, type Findings } from './findings.js';
import { type FileSource, rangedReader } from './source.js';
import { readFlac, readMp3 } from './formats/audio.js';
import { readGlb, readSafetensors } from './formats/json-header.js';
import { readIsoMedia } from './formats/iso-media.js';
import { readJpeg } from './formats/jpeg.js';
import { readJsonFile } from './formats/json.js';
import { readMatroska } from './formats/matroska.js';
import { readOgg } from './formats/ogg.js';
import { readPng } from './formats/png.js';
import { type ReadProblem, StopReading } from './stop-reading.js';
import { decodeJson } from './text.js';
import { readSvg } from './formats/svg.js';
import { readWav, readWebp } from './formats/riff.js';
import { sniffMediaType } from '../../core/protocol/media-type.js';

/**
 * The format of a file that can carry a workflow. `avif` includes HEIC, `mp4` MOV, `matroska` WebM, `ogg` Opus and Vorbis,
 * `safetensors` latents and models.
 */
export type WorkflowFileFormat =
  | 'png'
  | 'webp'
  | 'jpeg'
  | 'avif'
  | 'mp4'
  | 'matroska'
  | 'flac'
  | 'mp3'
  | 'ogg'
  | 'wav'
  | 'safetensors'
  | 'svg'
  | 'glb'
  | 'json';

/** What {@link workflowIn} found in a file: a workflow, none, or a problem that ended the search. */
export type WorkflowInFile =
  | {
      /** One or both of the texts were found. */
      readonly _tag: 'Found';
      /** The format of the file, by its content. */
      readonly format: WorkflowFileFormat;
      /** The graph in API format, as it was executed. */
      readonly prompt?: EmbeddedJson;
      /** The editor's file. */
      readonly workflow?: EmbeddedJson;
      /** Why the other one may be missing, or what is uncertain about what was found. */
      readonly problem?: ReadProblem;
    }
  | {
      /** The file was searched to its end, or as far as its format has metadata. */
      readonly _tag: 'None';
      /** Absent if the format is not one that carries workflows. */
      readonly format?: WorkflowFileFormat;
    }
  | {
      /** The file may carry a workflow, but the search ended before it was found. */
      readonly _tag: 'Problem';
      /** Absent if the source failed before it was known. */
      readonly format?: WorkflowFileFormat;
      /** Why the search ended. */
      readonly problem: ReadProblem;
    };

/** Options of {@link workflowIn}. */
export interface WorkflowInOptions {
  /** How many bytes of metadata are read, and how many they may be once they are inflated; default 128 MiB. */
  readonly maxMetadataBytes?: number | undefined;
  /**
   * How many parts the file may have, such as chunks of a picture or boxes of a video, of each of which the header is read; default
   * 65,536, beside which 1 MiB is read.
   */
  readonly maxParts?: number | undefined;
}

/**
 * Finds the workflow that a generated file carries: the executed graph (`prompt`) and the editor's file (`workflow`).
 *
 * It reads PNG, WebP, JPEG, AVIF, MP4 and MOV, WebM and Matroska, FLAC, MP3, Ogg (Opus, Vorbis), WAV, safetensors (latents,
 * checkpoints, LoRAs), SVG, binary glTF and JSON, of which also what people wrap workflows in, as `readGraph` does. Of two texts with the same name the first counts; `readGraph` tells
 * what a text is.
 *
 * It never rejects: bytes of any kind, and a source that fails, give a value. At most the headers of `maxParts` parts are read, 16 bytes
 * for each, and 64 KiB at least, beside the metadata (of JSON, safetensors and glTF: beside the JSON part), and `maxMetadataBytes` of metadata, as it is and
 * inflated.
 *
 * @example
 * ```ts
 * import { workflowIn } from 'promptwire/workflow';
 *
 * const dropped = async (file: File) => {
 *   const search = await workflowIn(file);
 *   return search._tag === 'Found' ? (search.prompt ?? search.workflow)?.value : undefined;
 * };
 * ```
 */
export const workflowIn = async (
  source: FileSource,
  { maxMetadataBytes = defaultMetadataBytes, maxParts = defaultParts }: WorkflowInOptions = {},
): Promise<WorkflowInFile> => {
  const findings = createFindings(maxMetadataBytes);
  let format: WorkflowFileFormat | undefined;
  try {
    const reader = createByteReader(rangedReader(source), { maxMetadataBytes, maxParts });
    const head = await reader.peek(0, sniffedLength);
    format = formatOf(head.raw);
    if (format !== undefined) await readers[format](reader, findings);
    return resultOf(format, findings, findings.problem());
  } catch (error) {
    return resultOf(format, findings, problemOf(error));
  }
};

/** 128 MiB, a number because bundlers keep products: what a workflow with pictures in it takes, twice. */
const defaultMetadataBytes = 134_217_728;
/** A picture of half a gigabyte, in the chunks of 8 KiB that most programs write. */
const defaultParts = 65_536;

const resultOf = (
  format: WorkflowFileFormat | undefined,
  { found, isComplete, noted }: Findings,
  ended: ReadProblem | undefined,
): WorkflowInFile => {
  const problem = isComplete() ? noted() : (ended ?? noted());
  const ofFormat = format !== undefined && { format };
  if (format !== undefined && (found.prompt ?? found.workflow) !== undefined)
    return { _tag: 'Found', format, ...found, ...(problem && { problem }) };
  return problem === undefined ? { _tag: 'None', ...ofFormat } : { _tag: 'Problem', ...ofFormat, problem };
};

const problemOf = (error: unknown): ReadProblem =>
  error instanceof StopReading
    ? { reason: error.reason, message: error.message }
    : { reason: 'unreadable', message: `The source could not be read: ${String(error)}` };

const readers: Readonly<
  Record<WorkflowFileFormat, (reader: ByteReader, findings: Findings) => Promise<void>>
> = {
  png: readPng,
  webp: readWebp,
  jpeg: readJpeg,
  avif: readIsoMedia,
  mp4: readIsoMedia,
  matroska: readMatroska,
  flac: readFlac,
  mp3: readMp3,
  ogg: readOgg,
  wav: readWav,
  safetensors: readSafetensors,
  svg: readSvg,
  glb: readGlb,
  json: readJsonFile,
};

const byMediaType: ReadonlyMap<string | undefined, WorkflowFileFormat> = /* @__PURE__ */ new Map([
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/jpeg', 'jpeg'],
  ['image/avif', 'avif'],
  ['image/heic', 'avif'],
  ['image/heif', 'avif'],
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mp4'],
  ['audio/mp4', 'mp4'],
  ['video/webm', 'matroska'],
  ['video/x-matroska', 'matroska'],
  ['audio/flac', 'flac'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/wav', 'wav'],
  ['model/gltf-binary', 'glb'],
]);

const sniffedLength = 64;
const brace = 0x7b;

const formatOf = (head: Uint8Array): WorkflowFileFormat | undefined => {
  const text = decodeJson(head).text.trimStart();
  // The length of the header, below 4 GiB, and its first brace.
  const isModel = head[8] === brace && head.subarray(4, 8).every((byte) => byte === 0);
  // The mark of UTF-16 begins like a frame of MP3.
  if (!isModel && /^(?:\{|\[\s*[[{"\d-])/u.test(text)) return 'json';
  const known = byMediaType.get(sniffMediaType(head));
  if (known !== undefined) return known;
  if (isModel) return 'safetensors';
  return /^<(?:\?xml|svg|!--|!doctype svg)/iu.test(text) ? 'svg' : undefined;
};

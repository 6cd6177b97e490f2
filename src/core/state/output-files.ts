import type { AssetRef } from '../protocol/file-ref.js';
import { mediaTypeOfName } from '../protocol/media-type.js';
import { nodeFiles } from './node-files.js';
import type { FileMetadata, Outputs } from './outputs.js';

/** One file of a job's outputs. */
export interface OutputFile {
  /** Key of the outputs object: the node that made it. */
  readonly nodeId: string;
  /** The node of the submitted workflow to show it at, where known and different. */
  readonly displayNodeId?: string;
  /** Its name on the service. */
  readonly filename: string;
  /** Empty if the service sent none. */
  readonly subfolder: string;
  /** `output` where the service sent none. */
  readonly type: string;
  /** By the descriptor's own format, else the file name's extension, else `application/octet-stream`. */
  readonly mediaType: string;
  /** Its record where the service keeps files as assets. */
  readonly asset?: AssetRef;
  /** Its size and length, where the service tells them. */
  readonly metadata?: FileMetadata;
  /** Where it lies on older engines; a download looks there if `type` has no such file. */
  readonly otherType?: string;
  /** What a download saves it as, where `nameOutputs` named it. */
  readonly name?: string;
}

/** Options of {@link outputFiles}; a `JobState` is one. */
export interface OutputFilesOptions {
  /** Node id → node, to fill `displayNodeId` from. */
  readonly nodes?: Readonly<
    Record<
      string,
      {
        /** The node of the submitted workflow to show its files at. */
        readonly displayNodeId: string;
      }
    >
  >;
}

/**
 * Lists the files that outputs name: each array element with a `filename`, under any key, and each bare text under `result` or
 * `3d` that is a path of a model or picture, in the order of the outputs; the `temp` files of preview nodes included.
 *
 * The media type decides what kind a file is; the key does not (docs/protocol.md, chapter 8). Nodes made at run time have
 * ids that the submitted workflow lacks: pass the job's state as options, and `displayNodeId` names the node to show them at.
 *
 * @example
 * ```ts
 * import { outputFiles, type JobState } from 'promptwire';
 *
 * const pictures = (state: JobState) =>
 *   outputFiles(state.outputs, state).filter(({ mediaType }) => mediaType.startsWith('image/'));
 * ```
 */
export const outputFiles = (
  outputs: Outputs,
  { nodes = {} }: OutputFilesOptions = {},
): readonly OutputFile[] =>
  Object.entries(outputs).flatMap(([nodeId, node]) => {
    const displayNodeId = Object.hasOwn(nodes, nodeId) ? nodes[nodeId]?.displayNodeId : undefined;
    return nodeFiles(node).map(({ descriptor: { format, ...file } }) => ({
      nodeId,
      ...(displayNodeId !== undefined && displayNodeId !== nodeId && { displayNodeId }),
      ...file,
      mediaType: mediaTypeOf(format) ?? mediaTypeOfName(file.filename) ?? 'application/octet-stream',
    }));
  });

const mediaTypeOf = (format: string | undefined): string | undefined =>
  format !== undefined && /^(image|video|audio|text|model|application)\/[\w.+-]+$/i.test(format)
    ? format.toLowerCase()
    : undefined;

/** The kind of a file, as a program shows it. */
export type OutputKind = 'image' | 'video' | 'audio' | '3d' | 'text' | 'other';

/**
 * Maps a media type, as `outputFiles` gives it, to a kind of file: `model/*` is `3d`, JSON is `text`.
 *
 * @example
 * ```ts
 * import { outputKind, type OutputFile } from 'promptwire';
 *
 * const isPlayable = ({ mediaType }: OutputFile): boolean => ['video', 'audio'].includes(outputKind(mediaType));
 * ```
 */
export const outputKind = (mediaType: string): OutputKind => {
  const [top = '', rest = ''] = mediaType.toLowerCase().split(';', 1).join().split('/');
  if (top === 'image' || top === 'video' || top === 'audio' || top === 'text') return top;
  if (top === 'model') return '3d';
  return rest === 'json' || rest.endsWith('+json') ? 'text' : 'other';
};

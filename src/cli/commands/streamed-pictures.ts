import { type JobState, type Preview, safeFileName, type Workflow } from '../../node.js';
import { join, parse } from 'node:path';
import { mkdir, open, realpath } from 'node:fs/promises';
import { nameFiles, titled } from '../naming/name-files.js';
import type { SavingFlags } from './common-options.js';
import type { Session } from '../session.js';

/** Saves the pictures that `SaveImageWebsocket` nodes send over the socket: no record and no file of the service has them. */
export interface StreamedPictures {
  /** Takes any preview; one of such a node is saved. */
  readonly next: (preview: Preview, state: JobState | undefined) => void;
  /** Resolves with how many pictures of each node are on the disk, once all that came are. */
  readonly settled: () => Promise<ReadonlyMap<string, number>>;
}

/** The nodes of a workflow that send their pictures over the socket. */
export const streamingNodes = (workflow: Workflow): readonly string[] =>
  Object.keys(workflow).filter((nodeId) => workflow[nodeId]?.class_type === 'SaveImageWebsocket');

/** Makes the {@link StreamedPictures} of one job; each picture is reported as saved, or why it could not be. */
export const streamedPictures = (
  { report }: Session,
  { promptId, workflow }: { readonly promptId: string; readonly workflow: Workflow },
  { out, name: pattern = titled }: SavingFlags,
): StreamedPictures => {
  const nodes = new Set(streamingNodes(workflow));
  const counts = new Map<string, number>();
  let came = 0;
  let writing = Promise.resolve();

  const save = async ({ image, mediaType }: Preview, nodeId: string, index: number): Promise<void> => {
    const extension = mediaType === 'image/jpeg' ? 'jpg' : 'png';
    const filename = `SaveImageWebsocket_${index}.${extension}`;
    const file = { nodeId, filename, subfolder: '', type: 'websocket', mediaType };
    const name = nameFiles([file], { promptId, workflow, pattern, firstIndex: index }).get(file) ?? filename;
    try {
      const path = await writeNewFile(out, safeFileName(name), image);
      counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
      report({ kind: 'saved', promptId, file: { ...file, path, bytes: image.length, verified: true } });
    } catch (error) {
      report({ kind: 'error', error: error instanceof Error ? error : new Error(String(error)) });
    }
  };

  return {
    next: (preview, state) => {
      const nodeId = preview.nodeId ?? runningNode(state);
      if (nodeId === undefined || !nodes.has(nodeId)) return;
      const index = (came += 1);
      writing = writing.then(() => save(preview, nodeId, index));
    },
    settled: async () => {
      await writing;
      return counts;
    },
  };
};

/** The plain layout of a preview names no node: the one that runs has sent it. */
const runningNode = (state: JobState | undefined): string | undefined => {
  const running = Object.values(state?.nodes ?? {}).filter(({ phase }) => phase === 'running');
  return running.length === 1 ? running[0]?.nodeId : undefined;
};

/**
 * Writes a file into a folder, which is made where it is missing, and resolves with its path: `name`, else `name~2`, `name~3`…
 *
 * No file is replaced.
 */
const writeNewFile = async (out: string, name: string, bytes: Uint8Array): Promise<string> => {
  await mkdir(out, { recursive: true });
  const folder = await realpath(out);
  const { name: stem, ext } = parse(name);
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? name : `${stem}~${n}${ext}`);
    try {
      const handle = await open(path, 'wx');
      await handle.writeFile(bytes).finally(() => handle.close());
      return path;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
};

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

import { errorCode } from '../error-code.js';
import type { JobState, Preview, Workflow } from '../../node.js';
import { nameOutputs } from '../../workflow.js';
import { join, parse } from 'node:path';
import { mkdir, open, realpath } from 'node:fs/promises';
import type { SavingFlags } from './common-options.js';
import type { Session } from '../run-command.js';

/** Saves the pictures that `SaveImageWebsocket` nodes send over the socket; the service keeps neither file nor record of them. */
export interface StreamedPictures {
  /** Takes every preview of the job and saves those of such nodes. */
  readonly next: (preview: Preview, state: JobState | undefined) => void;
  /** Resolves with the number of saved pictures of each node, once all received ones are written. */
  readonly settled: () => Promise<ReadonlyMap<string, number>>;
}

/** The nodes of a workflow that send their pictures over the socket. */
export const streamingNodes = (workflow: Workflow): readonly string[] =>
  Object.keys(workflow).filter((nodeId) => workflow[nodeId]?.class_type === 'SaveImageWebsocket');

/** The job whose pictures {@link streamedPictures} saves, and where. */
export interface StreamedPicturesOptions extends SavingFlags {
  readonly promptId: string;
  /** Asked for the workflow on the first preview; without a workflow no picture is saved. */
  readonly findWorkflow: () => Promise<Workflow | undefined>;
}

/** Makes the {@link StreamedPictures} of one job; reports each picture as saved, or the error. */
export const streamedPictures = (
  { report }: Session,
  { promptId, findWorkflow, out, name: pattern = '{title}-{index}' }: StreamedPicturesOptions,
): StreamedPictures => {
  const counts = new Map<string, number>();
  let finding: Promise<Workflow | undefined> | undefined;
  let index = 0;
  let writing = Promise.resolve();

  const save = async (
    { image, mediaType }: Preview,
    nodeId: string,
    state: JobState | undefined,
  ): Promise<void> => {
    const workflow = await (finding ??= findWorkflow());
    if (workflow === undefined || !streamingNodes(workflow).includes(nodeId)) return;
    index += 1;
    const filename = `SaveImageWebsocket_${index}.${extensionOf(mediaType)}`;
    const file = { nodeId, filename, subfolder: '', type: 'websocket', mediaType };
    const job = { ...state, promptId };
    const [{ name } = { name: filename }] = nameOutputs([file], {
      workflow,
      job,
      pattern,
      firstIndex: index,
    });
    try {
      const path = await writeNewFile(out, name, image);
      counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
      report({ kind: 'saved', promptId, file: { ...file, path, bytes: image.length, verified: true } });
    } catch (error) {
      report({ kind: 'error', error: error instanceof Error ? error : new Error(String(error)) });
    }
  };

  return {
    next: (preview, state) => {
      const nodeId = preview.nodeId ?? runningNode(state);
      if (nodeId !== undefined) writing = writing.then(() => save(preview, nodeId, state));
    },
    settled: async () => {
      await writing;
      return counts;
    },
  };
};

/** Saves the pictures that a state of an ended job holds, and resolves with their number by node. */
export const saveImages = async (
  session: Session,
  state: JobState,
  { workflow, ...options }: SavingFlags & { readonly workflow: Workflow | undefined },
): Promise<ReadonlyMap<string, number>> => {
  const findWorkflow = (): Promise<Workflow | undefined> => Promise.resolve(workflow);
  const { promptId, socketImages = [] } = state;
  const pictures = streamedPictures(session, { promptId, findWorkflow, ...options });
  for (const { nodeId, mediaType, bytes } of socketImages)
    if (bytes !== undefined) pictures.next({ _tag: 'Preview', mediaType, image: bytes, nodeId }, state);
  return pictures.settled();
};

/** The picture's own bytes said what it is, so the subtype is one of a short list of plain words. */
const extensionOf = (mediaType: string): string =>
  mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice(mediaType.indexOf('/') + 1);

/** The plain layout of a preview names no node; the running node sent it. */
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
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
};

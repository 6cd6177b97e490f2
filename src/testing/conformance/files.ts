import { expectStatus } from './api.js';
import { recordOf } from './jobs.js';
import { pictureRun } from './recordings.js';
import { filledText, isObject, list, object, text } from './shape.js';
import type { Target } from './target.js';

/** A file descriptor of chapter 8. */
interface FileDescriptor {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** What is under a key of a node's output, in the record of a job. */
export const outputOf = async (
  target: Target,
  promptId: string,
  nodeId: string,
  key: string,
): Promise<readonly unknown[]> => {
  const outputs = object((await recordOf(target, promptId))['outputs'], 'outputs');
  return list(object(outputs[nodeId], `outputs of ${nodeId}`)[key], `${key} of ${nodeId}`);
};

/** The file descriptors under a key of a node's output. */
export const filesOf = async (
  target: Target,
  promptId: string,
  nodeId: string,
  key: string,
): Promise<readonly FileDescriptor[]> =>
  (await outputOf(target, promptId, nodeId, key)).map((entry) =>
    readDescriptor(entry, `${key} of ${nodeId}`),
  );

/** Every file of the shared text-to-image run. */
export const allFiles = async (target: Target): Promise<readonly FileDescriptor[]> => {
  const { promptId } = await pictureRun(target);
  const outputs = object((await recordOf(target, promptId))['outputs'], 'outputs');
  return Object.values(outputs)
    .flatMap((output) => Object.values(object(output, 'an output')))
    .flatMap((entries) => list(entries, 'a key of an output'))
    .filter((entry) => isObject(entry) && entry['filename'] !== undefined)
    .map((entry) => readDescriptor(entry, 'a file'));
};

/** The picture that the shared text-to-image run has saved. */
export const savedPicture = async (target: Target): Promise<FileDescriptor> => {
  const [file] = await filesOf(target, (await pictureRun(target)).promptId, 'save', 'images');
  if (file === undefined) throw new Error('the run has saved a picture');
  return file;
};

/** The signed URL of a file. */
export const signedUrl = async (target: Target, file: FileDescriptor): Promise<string> => {
  const answer = await expectStatus(302, target, 'GET', '/api/view', { query: { ...file } });
  return filledText(answer.headers.get('location'), 'Location');
};

const readDescriptor = (entry: unknown, place: string): FileDescriptor => {
  const { filename, subfolder = '', type = 'output' } = object(entry, place);
  return {
    filename: filledText(filename, `filename of ${place}`),
    subfolder: text(subfolder, `subfolder of ${place}`),
    type: filledText(type, `type of ${place}`),
  };
};

import { type FileHandle, open } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { commandOptions } from '../command-options.js';
import { decodeFile } from './decode-file.js';
import { reasonOf, type TextSource } from './read-json.js';
import { UsageError } from '../cli-io.js';
import { type ReadProblem, workflowIn, type WorkflowInFile } from '../../workflow.js';

/** The JSON text of a workflow, and what carried it. */
export interface WorkflowFile {
  /** Of a picture: the executed graph, or else the editor's file. */
  readonly text: string;
  /** As messages name it. */
  readonly name: string;
  /** Absent for a file that is JSON itself. */
  readonly carrier?: Extract<WorkflowInFile, { _tag: 'Found' }>;
}

/** Reads a workflow from a JSON file, or from a picture, video or other file that carries one; `-` is standard input. */
export const readWorkflowFile = async (file: string, source: TextSource): Promise<WorkflowFile> => {
  if (file === '-')
    return fromBytes('standard input', await buffer(addAbortSignal(source.stop, source.stdin)), source);
  const handle = await opened(file);
  try {
    const stats = await handle.stat();
    // A pipe has no size, so that it can't be read in ranges.
    if (!stats.isFile()) return await fromBytes(file, await handle.readFile(), source);
    const search = await workflowIn(
      { size: stats.size, read: (start, end) => range(handle, start, end) },
      source,
    );
    return await fromSearch(file, search, async () => decodeFile(file, await handle.readFile(), source));
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`can't read ${file}: ${reasonOf(error)}`);
  } finally {
    await handle.close();
  }
};

const opened = async (file: string): Promise<FileHandle> => {
  try {
    return await open(file);
  } catch (error) {
    throw new UsageError(`can't read ${file}: ${reasonOf(error)}`);
  }
};

const range = async (handle: FileHandle, start: number, end: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(end - start);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
  return bytes.subarray(0, bytesRead);
};

const fromBytes = async (name: string, bytes: Uint8Array, source: TextSource): Promise<WorkflowFile> =>
  fromSearch(name, await workflowIn(bytes, source), () => Promise.resolve(decodeFile(name, bytes, source)));

/** What is JSON, or of no format that carries workflows, is read as text. */
const fromSearch = async (
  name: string,
  search: WorkflowInFile,
  readText: () => Promise<string>,
): Promise<WorkflowFile> => {
  if (search.format === undefined || search.format === 'json') return { name, text: await readText() };
  if (search._tag === 'None')
    throw new UsageError(`${name} is a file of the format ${search.format} that carries no workflow`);
  if (search._tag === 'Problem') throw new UsageError(`${name} can't be searched: ${told(search.problem)}`);
  return { name, text: (search.prompt ?? search.workflow)?.text ?? '', carrier: search };
};

/** The bound is the library's option, which the command takes under its own name. */
const told = ({ message }: ReadProblem): string => {
  const bound = ['maxMetadataBytes', 'maxParts'].find((option) => message.includes(option));
  return bound === undefined ? message : `${message} ${commandOptions[bound]} raises it.`;
};

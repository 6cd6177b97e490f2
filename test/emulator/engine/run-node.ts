import { nodeClasses } from '../../../src/emulator/engine/node-classes.js';
import { createFfmpeg } from '../../../src/emulator/engine/codecs/ffmpeg.js';
import type {
  FileDescriptor,
  NewFile,
  NodeContext,
  NodeResult,
  Picture,
  Preview,
} from '../../../src/emulator/engine/node-class.js';

/** A node context that records what a node does. */
export interface RecordingContext extends NodeContext {
  readonly steps: (readonly [value: number, max: number])[];
  readonly previews: (() => Preview)[];
  readonly texts: string[];
  readonly saved: NewFile[];
}

/** Makes a context; `files` are what {@link NodeContext.load} finds. */
export const recordingContext = (
  overrides: Partial<NodeContext> = {},
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): RecordingContext => {
  const steps: RecordingContext['steps'] = [];
  const previews: RecordingContext['previews'] = [];
  const texts: string[] = [];
  const saved: NewFile[] = [];
  return {
    nodeId: '1',
    prompt: { '1': { class_type: 'Test', inputs: {} } },
    extraPngInfo: {},
    partnerKey: undefined,
    modelOutputs: 'text',
    step: (value, max, preview) => {
      steps.push([value, max]);
      if (preview) previews.push(preview);
      return Promise.resolve();
    },
    ffmpeg: createFfmpeg(false).run,
    text: (text) => void texts.push(text),
    save: (file): FileDescriptor => {
      saved.push(file);
      return { filename: `${file.prefix}_${saved.length}.${file.extension}`, subfolder: '', type: file.type };
    },
    load: (name) => files.get(name),
    inputs: () => [...files.keys()],
    ...overrides,
    steps,
    previews,
    texts,
    saved,
  };
};

/** Runs one node. */
export const runNode = (
  classType: string,
  inputs: Readonly<Record<string, unknown>>,
  context: NodeContext = recordingContext(),
): Promise<NodeResult> => {
  const nodeClass = nodeClasses.get(classType);
  if (!nodeClass) throw new Error(`no node class ${classType}`);
  return nodeClass.execute(inputs, context);
};

/** Runs the nodes of a graph in the given order and answers what each has made. */
export const runGraph = async (
  graph: Readonly<
    Record<string, { readonly class_type: string; readonly inputs: Readonly<Record<string, unknown>> }>
  >,
  order: readonly string[],
  context: NodeContext = recordingContext(),
): Promise<ReadonlyMap<string, NodeResult>> => {
  const done = new Map<string, NodeResult>();
  for (const id of order) {
    const { class_type: classType, inputs } = graph[id]!;
    const resolved = Object.entries(inputs).map(([name, value]) => [
      name,
      Array.isArray(value) ? done.get(String(value[0]))?.values[Number(value[1])] : value,
    ]);
    done.set(id, await runNode(classType, Object.fromEntries(resolved) as Record<string, unknown>, context));
  }
  return done;
};

/** A small picture whose pixels all differ. */
export const testPicture = (width: number, height: number, shift = 0): Picture => ({
  width,
  height,
  rgb: Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 7 + shift) & 255),
});

/** A picture of one colour. */
export const plainPicture = (
  width: number,
  height: number,
  colour: readonly [number, number, number],
): Picture => ({
  width,
  height,
  rgb: Uint8Array.from({ length: width * height * 3 }, (_, index) => colour[index % 3]!),
});

/** How far two pictures of one size are apart: the mean of the differences of all channels. */
export const meanDifference = (a: Picture, b: Picture): number =>
  a.rgb.reduce((sum, value, index) => sum + Math.abs(value - b.rgb[index]!), 0) / a.rgb.length;

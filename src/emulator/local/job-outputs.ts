import { asJsonObject, type JsonObject } from '../http/request.js';
import type { EngineFacts } from './engine-facts.js';

/** The outputs of a job by node, as its record has them. */
export type RecordedOutputs = Readonly<Record<string, unknown>>;

type Facts = Pick<EngineFacts, 'modelTexts' | 'textPreviews'>;

/** One element of an output, and where it stands. */
interface Element {
  readonly nodeId: string;
  readonly key: string;
  readonly value: unknown;
}

/** The outputs as the jobs API shows them: without nulls, and a text that names a 3D file as a file. */
export const normalisedOutputs = (outputs: RecordedOutputs, facts: Facts): RecordedOutputs =>
  mapValues(outputs, (output) =>
    mapValues(asJsonObject(output) ?? {}, (list, key) =>
      Array.isArray(list) && key !== 'animated'
        ? list.filter((value) => value !== null).map((value: unknown) => modelFile(value, facts) ?? value)
        : list,
    ),
  );

/** How many outputs there are: each object of a list, cameras and boxes among them, and each text that names a 3D file. */
export const countOutputs = (outputs: RecordedOutputs, facts: Facts): number =>
  elementsOf(outputs).filter(({ value }) => asOutput(value, facts) !== undefined).length;

/** How many of these can be previewed. */
export const countPreviewable = (outputs: RecordedOutputs, facts: Facts): number =>
  elementsOf(outputs).filter((element) => isPreviewable(element, facts)).length;

/** The output that stands for the job: a saved picture, other media, a text. */
export const previewOf = (outputs: RecordedOutputs, facts: Facts): JsonObject | undefined => {
  const previewable = elementsOf(outputs).filter((element) => isPreviewable(element, facts));
  const media = previewable.filter((element) => !isText(element));
  const first = media.find(({ value }) => asOutput(value, facts)?.['type'] === 'output') ?? media.at(0);
  const shown =
    facts.textPreviews === 'as they come'
      ? previewable.find((element) => element === first || isText(element))
      : (first ?? previewable.at(0));
  if (shown === undefined) return undefined;
  const { nodeId, key, value } = shown;
  if (typeof value === 'string' && key === 'text') {
    const isLong = value.length > longestText;
    return {
      content: value.slice(0, longestText),
      ...(isLong && { truncated: true }),
      nodeId,
      mediaType: 'text',
    };
  }
  return { nodeId, mediaType: key, ...asOutput(value, facts) };
};

const longestText = 1024;

const elementsOf = (outputs: RecordedOutputs): readonly Element[] =>
  Object.entries(outputs).flatMap(([nodeId, output]) =>
    Object.entries(asJsonObject(output) ?? {}).flatMap(([key, list]) =>
      Array.isArray(list) && key !== 'animated' ? list.map((value: unknown) => ({ nodeId, key, value })) : [],
    ),
  );

const asOutput = (value: unknown, facts: Facts): JsonObject | undefined =>
  modelFile(value, facts) ?? asJsonObject(value);

const modelFile = (value: unknown, { modelTexts }: Facts): JsonObject | undefined =>
  modelTexts && typeof value === 'string' && models.test(value)
    ? { filename: value, type: 'output', subfolder: '', mediaType: '3d' }
    : undefined;

const models = /\.(?:obj|fbx|gltf|glb|usdz)$/iu;
const textFiles = /\.(?:txt|md|json)$/iu;

const isPreviewable = ({ key, value }: Element, facts: Facts): boolean => {
  if (key === 'text' && typeof value === 'string') return facts.textPreviews !== 'none';
  const output = asOutput(value, facts);
  if (output === undefined) return false;
  const { filename, format } = output;
  if (mediaKeys.has(key) || (typeof format === 'string' && /^(?:video|audio)\//u.test(format))) return true;
  if (typeof filename !== 'string') return false;
  return models.test(filename) || (facts.textPreviews !== 'none' && textFiles.test(filename));
};

const mediaKeys: ReadonlySet<string> = new Set(['images', 'video', 'audio', '3d']);

const isText = ({ key, value }: Element): boolean =>
  key === 'text' || textFiles.test(String(asJsonObject(value)?.['filename']));

const mapValues = (
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): RecordedOutputs =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

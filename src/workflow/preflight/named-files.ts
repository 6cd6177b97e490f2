import { choicesOf, isMultiple, areFiles } from '../validate/choices.js';
import { fileInputs, namesOtherFolder, withoutFolder } from '../validate/file-checks.js';
import { type InputDefinition, type NodeDefinitions, readDefinition } from '../definitions.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { objectOf } from '../values.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A file that an input of a known class names. */
export interface NamedFile {
  readonly nodeId: string;
  readonly input: string;
  /** As the input has it. */
  readonly name: string;
  /** Whether the caller uploads such files; else they are models. */
  readonly isUploaded: boolean;
  /** Whether the service has it, as far as its list tells. */
  readonly isListed: boolean;
}

/** Finds the files of the server that these nodes name: what their loaders take, and models. */
export const namedFiles = (
  workflow: Workflow,
  definitions: NodeDefinitions,
  running: ReadonlySet<string>,
): readonly NamedFile[] =>
  Object.entries(workflow).flatMap(([nodeId, node]) => {
    const definition = running.has(nodeId) ? readDefinition(definitions, node.class_type) : undefined;
    if (definition === undefined) return [];
    const inputs = objectOf(node.inputs);
    return definition.inputs.flatMap((input) => {
      const value = Object.hasOwn(inputs, input.name) ? inputs[input.name] : undefined;
      const isUploaded = takesUploads(input, node.class_type);
      return namesIn(value, input)
        .filter((name) => isUploaded || isModel(input, name))
        .map((name) => ({
          ...{ nodeId, input: input.name, name, isUploaded },
          isListed: isListed(input, name, isUploaded),
        }));
    });
  });

/** Whether the caller uploads the files of this input. */
export const takesUploads = ({ name, options }: InputDefinition, className: string): boolean =>
  fileInputs.get(className) === name || uploadMarks.some((mark) => options[mark] === true);

const uploadMarks = ['image_upload', 'animated_image_upload', 'audio_upload', 'video_upload', 'file_upload'];

/** The texts of a value; a list is a link where the input takes one choice only. */
const namesIn = (value: unknown, input: InputDefinition): readonly string[] => {
  const literal = isJsonObject(value) && Object.hasOwn(value, '__value__') ? value['__value__'] : value;
  const chosen: readonly unknown[] = isMultiple(input) && Array.isArray(literal) ? literal : [literal];
  return chosen.filter((one): one is string => typeof one === 'string' && one !== '');
};

/** A choice among files is a model; where the server has none of a kind, the list is empty and the name tells. */
const isModel = ({ choices }: InputDefinition, name: string): boolean =>
  choices !== undefined && (areFiles(choices) || (choices.length === 0 && modelFile.test(name)));

/** Names of files that hold a model. */
export const modelFile = /\.(?:safetensors|sft|ckpt|pth?|bin|gguf|onnx)$/iu;

const isListed = (input: InputDefinition, name: string, isUploaded: boolean): boolean => {
  const listed = choicesOf(input);
  if (!isUploaded) return listed?.has(name) === true;
  // A list that the editor asks for elsewhere says nothing, and a value may name a file of another folder, or one by its content.
  return listed === undefined || namesOtherFolder(name) || isHash(name) || listed.has(withoutFolder(name));
};

const isHash = (name: string): boolean => /^(?:blake3:)?[\da-f]{64}(?:\.\w+)?$/u.test(name);

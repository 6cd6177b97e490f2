import type { InputDefinition } from '../../workflow.js';
import { quoted } from './text.js';
import { type Scope, typeOfList } from './scope.js';

/** The type of what an input takes: literals, and outputs of its types. */
export const inputType = (input: InputDefinition, scope: Scope): string => {
  const { name, type, choices, isListForm, options } = input;
  const isList = type === 'COMBO';
  if (isList && choices !== undefined) {
    const list = { input: name, values: choices, isListForm, isOpen: isUploaded(options) };
    const choice = scope.choicesFor(list);
    return isListForm
      ? choice
      : `${isMultiple(options) ? `readonly ${choice}[]` : choice} | ${socket(name, type)}`;
  }
  const literals = isList ? ['Literal'] : literalsOf(type, options);
  return [...literals, socket(name, type)].join(' | ');
};

/** The type of an output, by what the definition says of it. */
export const outputType = (type: unknown, isList: boolean): string => {
  const of = isList ? 'ListOutput' : 'Output';
  if (Array.isArray(type)) return `${of}<${quoted(typeOfList(type))}>`;
  if (typeof type !== 'string' || isAny(type)) return `${of}<never>`;
  const types = membersOf(type).map((one) => `${of}<${quoted(one)}>`);
  return types.join(' & ');
};

/** Whether a type stands for all, or for one that only a workflow decides. */
export const isAny = (type: string): boolean =>
  membersOf(type).includes('*') || /^COMFY_\w+_V3$/u.test(type) || type === '';

/** What goes into the socket of an input, whose type may be several. */
export const socket = (name: string, type: string): string => {
  const types = isAny(type) ? 'string' : membersOf(type).map(quoted).join(' | ');
  return `Input<${quoted(name)}, ${types}>`;
};

const membersOf = (type: string): readonly string[] => [...new Set(type.split(',').map((one) => one.trim()))];

/** The literals that an input of these types takes; none where it is fed by links alone. */
const literalsOf = (type: string, options: InputDefinition['options']): readonly string[] => {
  if (isAny(type)) return ['Literal'];
  const known = membersOf(type).flatMap((one) => literals.get(one) ?? []);
  // A default means that the editor has a widget for the type; which literals it takes is unknown.
  if (known.length === 0 && options['default'] !== undefined) return ['Literal'];
  return [...new Set(known)];
};

const literals: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['INT', ['number', 'bigint']],
  ['FLOAT', ['number']],
  ['STRING', ['string']],
  ['BOOLEAN', ['boolean']],
  // Types of widgets that the editor brings.
  ...['COLOR', 'MARKDOWN', 'TEXTAREA'].map((type) => [type, ['string']] as const),
  ...[
    'CURVE',
    'RANGE',
    'CHART',
    'GALLERIA',
    'PAINTER',
    'IMAGECOMPARE',
    'BOUNDING_BOX',
    'BOUNDING_BOXES',
    'COLORS',
    'IMAGEUPLOAD',
    'AUDIOUPLOAD',
    'AUDIO_UI',
    'AUDIO_RECORD',
    'WEBCAM',
    'LOAD_3D',
    'PREVIEW_3D',
    'LOAD_3D_ADVANCED',
  ].map((type) => [type, ['Literal']] as const),
]);

const isMultiple = (options: InputDefinition['options']): boolean =>
  options['multiselect'] === true || (options['multi_select'] ?? false) !== false;

const isUploaded = (options: InputDefinition['options']): boolean =>
  ['image_upload', 'animated_image_upload', 'video_upload', 'audio_upload', 'file_upload'].some(
    (flag) => options[flag] === true,
  );

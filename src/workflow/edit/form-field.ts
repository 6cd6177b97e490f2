import type { InputDefinition } from '../definitions.js';
import { isMultiple } from '../validate/choices.js';
import { type LinkedOutput, linkOf, unwrapped } from './nodes-of.js';
import { widgetOf } from '../convert/widget-plan.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** One input of a workflow as a form shows it; plain data, which JSON carries. */
export interface FormField {
  /** Its name, such as `Positive.text`, which `findInput`, `template` and `promptwire run --set` take. */
  readonly name: string;
  /** The id of the node. */
  readonly nodeId: string;
  /** The name of the input. */
  readonly input: string;
  /** The class of the node. */
  readonly class: string;
  /** The title of the node: its own, else that of its class. */
  readonly title: string;
  /** What to call the input: what the definition shows, else its name. */
  readonly label: string;
  /** Its place in the form, from 0: by node as in the workflow, then as the class orders its inputs. */
  readonly order: number;
  /** What a form shows for it. */
  readonly control: FieldControl;
  /** Its type as the definition has it, such as `INT` or `COMBO`; `unknown` where the definitions lack the class. */
  readonly type: string;
  /** Whether the service refuses a workflow without it. */
  readonly required: boolean;
  /** What the workflow has; absent if it has nothing or a link. */
  readonly value?: unknown;
  /** Where a linked input takes its value from; a value of its own would replace the link. */
  readonly link?: LinkedOutput;
  /** What the class takes by default; absent if the definition says nothing. */
  readonly default?: unknown;
  /** The least number that the service accepts. */
  readonly min?: number;
  /** The largest number that the service accepts. */
  readonly max?: number;
  /** By how much a form changes the number; the service does not check it. */
  readonly step?: number;
  /** The values to choose from; absent if the list comes from elsewhere. */
  readonly choices?: readonly unknown[];
  /**
   * Set where only the service can tell whether a value beyond `min`, `max` and `choices` fits: the class is of another package, which
   * may check its inputs itself.
   */
  readonly serverOnly?: true;
  /** Whether a text has several lines. */
  readonly multiline?: true;
  /** Whether it is a colour: a text such as `#ff8800`, or the same as a whole number, `0xff8800`. */
  readonly color?: true;
  /** What a file of this input is; a form uploads it and sets the name that the service gave it. */
  readonly upload?: 'image' | 'audio' | 'video' | 'file';
  /** Whether the editor draws a new number after each run, as for seeds. */
  readonly randomized?: true;
  /** Whether the editor hides it at first. */
  readonly advanced?: true;
  /** What an empty field shows. */
  readonly placeholder?: string;
  /** What it does, for people. */
  readonly tooltip?: string;
}

/**
 * What a form shows for an input: a whole number, a number, a text, a switch, one of a list, several of a list, a file of a list or a
 * new one, or `other` for what has no field of its own.
 */
export type FieldControl = 'integer' | 'number' | 'text' | 'switch' | 'choice' | 'choices' | 'file' | 'other';

/** What a field says of the input alone. */
export type InputFacts = Omit<
  FormField,
  'name' | 'nodeId' | 'input' | 'class' | 'title' | 'order' | 'serverOnly'
>;

/** Describes an input with what the workflow has in it, if anything. */
export const fieldOf = (workflow: Workflow, input: InputDefinition, given: unknown): InputFacts => {
  const { options, choices, group } = input;
  const link = linkOf(workflow, given);
  const value = link === undefined ? unwrapped(given) : undefined;
  const upload = uploadOf(options);
  const type = widgetOf(input)?.type ?? input.type;
  return {
    label: textIn(options, 'display_name') ?? input.name,
    control: upload === undefined ? controlOf(input, type, value) : 'file',
    type,
    required: group === 'required',
    ...present({
      value,
      link,
      default: options['default'],
      min: numberIn(options, 'min'),
      max: numberIn(options, 'max'),
      step: numberIn(options, 'step'),
      choices,
      multiline: flagIn(options, 'multiline'),
      color: isColor(type, options),
      upload,
      randomized: isRandomized(input),
      advanced: flagIn(options, 'advanced'),
      placeholder: textIn(options, 'placeholder'),
      tooltip: textIn(options, 'tooltip'),
    }),
  };
};

const controlOf = (input: InputDefinition, type: string, value: unknown): FieldControl => {
  switch (type) {
    case 'INT':
      return 'integer';
    case 'FLOAT':
      return 'number';
    case 'STRING':
    case 'MARKDOWN':
    case 'TEXTAREA':
    case 'COLOR':
      return 'text';
    case 'BOOLEAN':
      return 'switch';
    case 'COMBO':
      return isMultiple(input) ? 'choices' : 'choice';
    case '*':
    case 'unknown':
      return controlOfValue(value);
    default:
      return 'other';
  }
};

const controlOfValue = (value: unknown): FieldControl => {
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'bigint':
      return 'integer';
    case 'string':
      return 'text';
    case 'boolean':
      return 'switch';
    default:
      return 'other';
  }
};

const uploadOf = (options: InputDefinition['options']): FormField['upload'] => {
  if (options['image_upload'] === true || options['animated_image_upload'] === true) return 'image';
  if (options['audio_upload'] === true) return 'audio';
  if (options['video_upload'] === true) return 'video';
  return options['file_upload'] === true ? 'file' : undefined;
};

/** A type of its own, or a whole number that the editor shows as a colour. */
const isColor = (type: string, options: InputDefinition['options']): true | undefined =>
  type === 'COLOR' || (type === 'INT' && options['display'] === 'color') ? true : undefined;

/** The editor does so with seeds unless the definition says no. */
const isRandomized = (input: InputDefinition): true | undefined =>
  widgetOf(input)?.hasControl === true ? true : undefined;

const numberIn = (options: InputDefinition['options'], name: string): number | undefined => {
  const value = options[name];
  return typeof value === 'number' && Number.isFinite(value)
    ? value
    : typeof value === 'bigint'
      ? Number(value)
      : undefined;
};

const textIn = (options: InputDefinition['options'], name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const flagIn = (options: InputDefinition['options'], name: string): true | undefined =>
  options[name] === true ? true : undefined;

/** Leaves out what is undefined. */
const present = <Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };

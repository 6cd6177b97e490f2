import { comment, memberName, quoted } from './text.js';
import { type InputDefinition, readInputs } from '../../workflow.js';
import { inputNotes } from './input-notes.js';
import { inputType } from './input-type.js';
import type { Scope } from './scope.js';

/** The members of an object type, and for each choice that brings inputs of its own the types to choose from. */
export interface MembersType {
  readonly members: string;
  readonly unions: readonly string[];
  readonly isOptional: boolean;
}

/** The deepest nesting of choices that bring inputs, and the most types that one class may unfold to. */
const [maxDepth, maxTypes] = [4, 100];

/** The members for the inputs of a class, or of an option of a choice; `prefix` is that choice's name and a point. */
export const membersType = (
  inputs: readonly InputDefinition[],
  scope: Scope,
  prefix = '',
  depth = 0,
): MembersType => {
  const parts: MembersType[] = [];
  let types = 1;
  for (const input of inputs) {
    const options = optionsOf(input);
    // An input that is no such choice has one type.
    const unfolded = types * Math.max(1, options.length);
    const isUnfolded = depth < maxDepth && unfolded <= maxTypes;
    if (isUnfolded) types = unfolded;
    parts.push(
      membersOfInput({ ...input, name: `${prefix}${input.name}` }, scope, isUnfolded ? options : [], depth),
    );
  }
  return {
    members: parts.map(({ members }) => members).join(''),
    unions: parts.flatMap(({ unions }) => unions),
    isOptional: parts.every(({ isOptional }) => isOptional),
  };
};

const membersOfInput = (
  input: InputDefinition,
  scope: Scope,
  options: readonly Option[],
  depth: number,
): MembersType => {
  if (input.type === 'COMFY_AUTOGROW_V3') return growing(input, scope);
  if (input.type === 'COMFY_DYNAMICCOMBO_V3' && options.length > 0)
    return choice(input, scope, options, depth);
  const isDynamic = /^COMFY_(?!MATCHTYPE_)\w+_V3$/u.test(input.type);
  return {
    members: `${member(input, inputType(input, scope), isDynamic || input.group === 'optional')}${isDynamic ? anyPart(input.name) : ''}`,
    unions: [],
    isOptional: isDynamic || input.group === 'optional',
  };
};

const member = (input: InputDefinition, type: string, isOptional = input.group === 'optional'): string =>
  `${comment(inputNotes(input), '  ')}  readonly ${memberName(input.name)}${isOptional ? '?' : ''}: ${type};\n`;

/** Inputs that the definitions do not name: all that begin with the name of this one. */
const anyPart = (name: string): string =>
  isTemplate(name)
    ? `  readonly [part: \`${name}.\${string}\`]: Literal | Output<string> | undefined;\n`
    : '';

const isTemplate = (name: string): boolean => /^[\w .-]+$/u.test(name);

/** An option of a choice that brings inputs. */
interface Option {
  readonly key: string;
  readonly inputs: unknown;
}

const optionsOf = ({ type, options: { options } }: InputDefinition): readonly Option[] =>
  type === 'COMFY_DYNAMICCOMBO_V3' && Array.isArray(options)
    ? (options as readonly unknown[]).filter(
        (option): option is Option =>
          typeof option === 'object' &&
          option !== null &&
          typeof (option as Partial<Option>).key === 'string',
      )
    : [];

/** A choice that decides which inputs stand beside it: one type for each option. */
const choice = (
  input: InputDefinition,
  scope: Scope,
  options: readonly Option[],
  depth: number,
): MembersType => {
  const types = options.map(({ key, inputs }) => {
    const inner = membersType(readInputs(inputs), scope, `${input.name}.`, depth + 1);
    const own = `{\n${member(input, quoted(key))}${inner.members}}`;
    return [own, ...inner.unions].join(' & ');
  });
  // Left out, it brings no inputs.
  const none = input.group === 'optional' ? [`{ readonly ${memberName(input.name)}?: undefined }`] : [];
  return {
    members: '',
    unions: [`(${[...types, ...none].join(' | ')})`],
    isOptional: input.group === 'optional',
  };
};

/** The most inputs that one growing input has by name; the service's own bound is 100. */
const maxGrown = 100;

/** An input that stands for several of one kind, `images.image0` and so on. */
const growing = (input: InputDefinition, scope: Scope): MembersType => {
  const template = objectOf(input.options['template']);
  const [kind] = readInputs(template['input']);
  const least = typeof template['min'] === 'number' ? template['min'] : 0;
  const names = grownNames(template);
  if (kind === undefined || names.length === 0)
    return { members: anyPart(input.name), unions: [], isOptional: true };
  const members = names.map((part, at) => {
    const one = { ...kind, name: `${input.name}.${part}` };
    const isOptional = at >= least || input.group === 'optional';
    return `  readonly ${memberName(one.name)}${isOptional ? '?' : ''}: ${inputType(one, scope)};\n`;
  });
  return { members: members.join(''), unions: [], isOptional: least === 0 || input.group === 'optional' };
};

const grownNames = ({ names, prefix, max }: Readonly<Record<string, unknown>>): readonly string[] => {
  if (Array.isArray(names)) return names.filter((name) => typeof name === 'string').slice(0, maxGrown);
  if (typeof prefix !== 'string') return [];
  const count = typeof max === 'number' && max > 0 ? Math.min(max, maxGrown) : maxGrown;
  return Array.from({ length: Math.floor(count) }, (_, at) => `${prefix}${at}`);
};

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

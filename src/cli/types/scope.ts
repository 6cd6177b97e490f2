import { createHash } from 'node:crypto';
import { comment, identifierPart, quoted } from './text.js';
import { uniqueNames } from './unique-names.js';

/** The names and lists that the declarations of one file share. */
export interface Scope {
  /** A name for a type that the file does not have yet, as near to the wish as can be. */
  readonly nameFor: (wish: string) => string;
  /** The name of the type of a list of choices, which the file declares once. */
  readonly choicesFor: (choices: Choices) => string;
  /** The declarations that were added since the last call. */
  readonly take: () => string;
}

/** A list of choices. */
export interface Choices {
  /** What the type is named after. */
  readonly input: string;
  readonly values: readonly unknown[];
  /** Whether the list is the type itself, so that an output of the same list fits. */
  readonly isListForm: boolean;
  /** Whether a value that the list lacks may be right as well, such as the name of a file that is uploaded later. */
  readonly isOpen: boolean;
}

/** The most choices of a list that its type names; a longer list takes any text beside them. */
export const maxChoices = 1000;

/** The names that the file imports, or that mean something in every file. */
const taken = [
  'BuiltNode',
  'Input',
  'ListOutput',
  'Literal',
  'NodeOptions',
  'Nodes',
  'Output',
  'Record',
  'Array',
];

export const newScope = (): Scope => {
  const unique = uniqueNames(taken);
  const byList = new Map<string, string>();
  let fresh = '';

  const nameFor = (wish: string): string => unique(/^\d/u.test(wish) ? `_${wish}` : wish);

  const choicesFor = (choices: Choices): string => {
    const { values, isListForm, isOpen } = choices;
    const id = idOfList(values);
    const key = `${id} ${isListForm} ${isOpen}`;
    const known = byList.get(key);
    if (known !== undefined) return known;
    const name = nameFor(typeNameOf(choices.input));
    byList.set(key, name);
    fresh += declarationOf(name, choices, id);
    return name;
  };

  return {
    nameFor,
    choicesFor,
    take: () => {
      const text = fresh;
      fresh = '';
      return text;
    },
  };
};

/** `SamplerName` of `sampler_name`. */
const typeNameOf = (input: string): string => {
  const words = identifierPart(input).split('_');
  const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return name === '' ? 'Choice' : name;
};

/** The type of a socket that is a list: equal lists have one, and long ones are not repeated. */
export const typeOfList = (values: readonly unknown[]): string => `list ${idOfList(values)}`;

const idOfList = (values: readonly unknown[]): string =>
  createHash('sha256')
    .update(values.map((value) => literalOf(value) ?? 'null').join())
    .digest('base64url')
    .slice(0, 12);

const declarationOf = (name: string, { values, isListForm, isOpen }: Choices, id: string): string => {
  const known = [...new Set(values.flatMap((value) => literalOf(value) ?? []))];
  const rest = values.length > maxChoices ? values.slice(maxChoices) : [];
  const members = known.slice(0, maxChoices);
  const open = isOpen ? values : rest;
  if ((isOpen && values.length === 0) || open.some((value) => typeof value === 'string'))
    members.push('(string & Record<never, never>)');
  if (open.some((value) => typeof value === 'number')) members.push('number');
  if (isListForm) members.push(`Output<${quoted(`list ${id}`)}>`);
  const notes = [
    ...(isOpen
      ? ['Others may fit as well: a file that was uploaded, or what the class of a package takes.']
      : []),
    ...(rest.length > 0
      ? [`The first ${maxChoices} of ${values.length} choices; any other fits as well.`]
      : []),
  ];
  return `${comment(notes, '')}export type ${name} = ${members.length === 0 ? 'never' : members.join(' | ')};\n\n`;
};

/** A choice as a type; undefined for one that is no simple value. */
export const literalOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'boolean' || value === null ? String(value) : undefined;
};

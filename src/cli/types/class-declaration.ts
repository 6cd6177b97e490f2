import { type ClassDefinition, readDefinition } from '../../workflow.js';
import { comment, commentLines, identifierPart, memberName } from './text.js';
import { membersType, type MembersType } from './members-type.js';
import { outputName } from './output-name.js';
import { outputType } from './input-type.js';
import type { Scope } from './scope.js';

/** The declarations of one node class. */
export interface ClassDeclaration {
  /** What goes before the list of classes: its inputs, its outputs, and their choices. */
  readonly types: string;
  /** Its member of that list. */
  readonly method: string;
}

/** Declares a node class; undefined if it has no definition that can be read. */
export const classDeclaration = (
  name: string,
  definition: unknown,
  scope: Scope,
): ClassDeclaration | undefined => {
  const read = readDefinition({ [name]: definition }, name);
  if (read === undefined) return undefined;
  const raw = definition as Readonly<Record<string, unknown>>;
  const part = identifierPart(name);
  const inputs = scope.nameFor(`${part}Inputs`);
  const inputTypes = inputsType(read, scope);
  const outputs = read.outputTypes.length === 0 ? 'BuiltNode' : scope.nameFor(`${part}Outputs`);
  const mark = inputTypes.isOptional ? '?' : '';
  return {
    types: [
      scope.take(),
      inputsDeclaration(inputs, inputTypes),
      outputs === 'BuiltNode' ? '' : outputsDeclaration(outputs, read, raw),
    ].join(''),
    method: `${comment(notesOf(read, raw), '  ')}  ${memberName(name)}(inputs${mark}: ${inputs}, options?: NodeOptions): ${outputs};\n`,
  };
};

const inputsType = ({ inputs, isForeign, takesAnything }: ClassDefinition, scope: Scope): MembersType => {
  const type = membersType(inputs, isForeign || takesAnything ? withOpenLists(scope) : scope);
  return takesAnything ? { ...type, members: `${type.members}  readonly [input: string]: unknown;\n` } : type;
};

/** A class of another package may take what its lists lack. */
const withOpenLists = (scope: Scope): Scope => ({
  ...scope,
  choicesFor: (choices) => scope.choicesFor({ ...choices, isOpen: true }),
});

const inputsDeclaration = (
  name: string,
  { members, unions }: { readonly members: string; readonly unions: readonly string[] },
): string => {
  // An empty interface takes every object.
  if (members === '' && unions.length === 0)
    return `export type ${name} = Readonly<Record<string, never>>;\n\n`;
  return unions.length === 0
    ? `export interface ${name} {\n${members}}\n\n`
    : `export type ${name} = ${[`{\n${members}}`, ...unions].join(' & ')};\n\n`;
};

const outputsDeclaration = (
  name: string,
  { outputTypes }: ClassDefinition,
  raw: Readonly<Record<string, unknown>>,
): string => {
  const [tooltips, areLists] = [listOf(raw['output_tooltips']), listOf(raw['output_is_list'])];
  const members = outputTypes.map((type, slot) => {
    const tooltip = tooltips[slot];
    const notes = comment(typeof tooltip === 'string' ? commentLines(tooltip) : [], '  ');
    const of = outputType(type, areLists[slot] === true);
    return `${notes}  readonly ${outputName(raw, slot)}: ${of};\n  readonly ${slot}: ${of};\n`;
  });
  return `export interface ${name} extends BuiltNode {\n${members.join('')}}\n\n`;
};

const notesOf = (
  { displayName }: ClassDefinition,
  raw: Readonly<Record<string, unknown>>,
): readonly string[] => {
  const { description, category, python_module: origin } = raw;
  const places = [category, origin].filter((place) => typeof place === 'string' && place !== '').join(', ');
  return [
    ...(displayName === undefined ? [] : commentLines(`${displayName}.`)),
    ...(typeof description === 'string' ? commentLines(description) : []),
    ...commentLines(places === '' ? '' : `(${places})`),
    ...(raw['api_node'] === true ? ['It calls a paid service of a partner.'] : []),
    ...(raw['deprecated'] === true ? ['@deprecated The service marks this class as deprecated.'] : []),
    ...(raw['experimental'] === true ? ['@experimental The service marks this class as experimental.'] : []),
  ];
};

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

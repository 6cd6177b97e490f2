import { literal, memberCode } from './literal.js';

/** Members of an object, each as code. */
export type MemberCodes = readonly (readonly [name: string, code: string])[];

/** An argument: code as it is, or an object. */
export type Argument = string | MemberCodes;

const maxWidth = 100;

/** The code of a call behind what stands before it, on as many lines as it needs. */
export const callCode = (start: string, args: readonly Argument[]): string => {
  const line = `${start}(${args.map(onOneLine).join(', ')});`;
  const last = args.at(-1);
  if (line.length <= maxWidth || last === undefined) return line;
  const before = args.slice(0, -1);
  if (before.every((argument) => typeof argument === 'string'))
    return `${start}(${[...before, onLines(last, '')].join(', ')});`;
  const lines = args.map((argument) => {
    const short = onOneLine(argument);
    return `  ${short.length <= maxWidth - 3 ? short : onLines(argument, '  ')},\n`;
  });
  return `${start}(\n${lines.join('')});`;
};

/** The code of an object on one line. */
export const onOneLine = (argument: Argument): string => {
  if (typeof argument === 'string') return argument;
  return argument.length === 0 ? '{}' : `{ ${argument.map(memberText).join(', ')} }`;
};

const onLines = (argument: Argument, indent: string): string =>
  typeof argument === 'string' || argument.length === 0
    ? onOneLine(argument)
    : `{\n${argument.map((member) => `${indent}  ${memberText(member)},\n`).join('')}${indent}}`;

const memberText = ([name, code]: readonly [string, string]): string => `${memberCode(name)}: ${code}`;

/** A member whose value is JSON. */
export const member = (name: string, value: unknown): readonly [string, string] => [name, literal(value)];

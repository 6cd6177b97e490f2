import { define, instant, type OutputDescription } from '../define.js';
import type { InputSpec, NodeClass, Value } from '../node-class.js';
import { type Inputs, read } from '../read.js';

/** A class that makes one value of texts. */
const ofTexts = (
  name: string,
  title: string,
  required: Readonly<Record<string, InputSpec>>,
  make: (inputs: Inputs) => Value,
  output: OutputDescription = { type: 'STRING' },
): NodeClass => {
  const definition = define({
    name,
    title,
    style: 'new',
    pythonModule: 'comfy_extras.nodes_string',
    category: 'utils/string',
    required,
    outputs: [output],
  });
  return { definition: () => definition, execute: instant((inputs) => ({ values: [make(inputs)] })) };
};

const text: InputSpec = ['STRING', { multiline: true }];

const choice = (...options: readonly string[]): InputSpec => ['COMBO', { multiselect: false, options }];

/** The characters of a text as Python counts them. */
const characters = (inputs: Inputs): readonly string[] => Array.from(read.text(inputs, 'string'));

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

const cases: Readonly<Record<string, (text: string) => string>> = {
  UPPERCASE: (given) => given.toUpperCase(),
  lowercase: (given) => given.toLowerCase(),
  Capitalize: capitalized,
  'Title Case': (given) => given.replace(/\p{L}+/gu, capitalized),
};

const trims: Readonly<Record<string, (text: string) => string>> = {
  Both: (given) => given.trim(),
  Left: (given) => given.trimStart(),
  Right: (given) => given.trimEnd(),
};

const comparisons: Readonly<Record<string, (one: string, other: string) => boolean>> = {
  'Starts With': (one, other) => one.startsWith(other),
  'Ends With': (one, other) => one.endsWith(other),
  Equal: (one, other) => one === other,
};

const compared = (inputs: Inputs): boolean => {
  const isExact = read.flag(inputs, 'case_sensitive', true);
  const [one = '', other = ''] = ['string_a', 'string_b'].map((name) => {
    const given = read.text(inputs, name);
    return isExact ? given : given.toLowerCase();
  });
  return comparisons[read.text(inputs, 'mode')]?.(one, other) ?? false;
};

/** What the engine's classes for texts do, but for regular expressions. */
export const strings: readonly NodeClass[] = [
  ofTexts(
    'StringCompare',
    'Compare',
    {
      string_a: text,
      string_b: text,
      mode: choice(...Object.keys(comparisons)),
      case_sensitive: ['BOOLEAN', { default: true, advanced: true }],
    },
    compared,
    { type: 'BOOLEAN' },
  ),
  ofTexts(
    'StringConcatenate',
    'Concatenate',
    { string_a: text, string_b: text, delimiter: ['STRING', { default: '', multiline: false }] },
    (inputs) =>
      read.text(inputs, 'string_a') + read.text(inputs, 'delimiter', '') + read.text(inputs, 'string_b'),
  ),
  ofTexts('StringSubstring', 'Substring', { string: text, start: ['INT', {}], end: ['INT', {}] }, (inputs) =>
    characters(inputs).slice(read.number(inputs, 'start'), read.number(inputs, 'end')).join(''),
  ),
  ofTexts('StringLength', 'Length', { string: text }, (inputs) => characters(inputs).length, {
    type: 'INT',
    name: 'length',
  }),
  ofTexts(
    'CaseConverter',
    'Case Converter',
    { string: text, mode: choice(...Object.keys(cases)) },
    (inputs) => changed(cases, inputs),
  ),
  ofTexts('StringTrim', 'Trim', { string: text, mode: choice(...Object.keys(trims)) }, (inputs) =>
    changed(trims, inputs),
  ),
  ofTexts('StringReplace', 'Replace', { string: text, find: text, replace: text }, (inputs) =>
    read.text(inputs, 'string').replaceAll(read.text(inputs, 'find'), () => read.text(inputs, 'replace')),
  ),
  ofTexts(
    'StringContains',
    'Contains',
    { string: text, substring: text, case_sensitive: ['BOOLEAN', { default: true }] },
    (inputs) => {
      const isExact = read.flag(inputs, 'case_sensitive', true);
      const of = (name: string): string =>
        isExact ? read.text(inputs, name) : read.text(inputs, name).toLowerCase();
      return of('string').includes(of('substring'));
    },
    { type: 'BOOLEAN', name: 'contains' },
  ),
];

/** The text as the mode changes it; a mode of another name changes nothing. */
const changed = (modes: typeof cases, inputs: Inputs): string => {
  const mode = read.text(inputs, 'mode');
  const given = read.text(inputs, 'string');
  return Object.hasOwn(modes, mode) ? (modes[mode]?.(given) ?? given) : given;
};

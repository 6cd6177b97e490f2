import type { InputSpec, NodeClass } from '../node-class.js';
import { nodeOf, oneOf } from './node-of.js';
import { type Inputs, read } from '../read.js';

const common = { pythonModule: 'comfy_extras.nodes_string', style: 'new', category: 'utils/string' } as const;
const text: InputSpec = ['STRING', { multiline: true }];
const flags: Readonly<Record<string, InputSpec>> = {
  case_insensitive: ['BOOLEAN', { default: true }],
  multiline: ['BOOLEAN', { default: false }],
  dotall: ['BOOLEAN', { default: false }],
};

/** Translates a node's pattern into a regular expression of JavaScript; undefined if it is invalid, which the engine treats as no match. */
const expressionOf = (inputs: Inputs): RegExp | undefined => {
  const pattern = read
    .text(inputs, 'regex_pattern')
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/gu, '\\k<$1>');
  const given = [
    read.flag(inputs, 'case_insensitive', true) ? 'i' : '',
    read.flag(inputs, 'multiline', false) ? 'm' : '',
    read.flag(inputs, 'dotall', false) ? 's' : '',
  ].join('');
  // Python takes escapes of marks that JavaScript refuses where it knows Unicode.
  return expression(pattern, `gu${given}`) ?? expression(pattern, `g${given}`);
};

const expression = (pattern: string, given: string): RegExp | undefined => {
  try {
    return new RegExp(pattern, given);
  } catch {
    return undefined;
  }
};

const matchesOf = (inputs: Inputs): readonly RegExpExecArray[] => {
  const pattern = expressionOf(inputs);
  return pattern === undefined ? [] : [...read.text(inputs, 'string').matchAll(pattern)];
};

const extracted = (inputs: Inputs): string => {
  const matches = matchesOf(inputs);
  const group = read.number(inputs, 'group_index', 1);
  const grouped = matches.filter((match) => group < match.length).map((match) => match[group] ?? '');
  switch (read.text(inputs, 'mode')) {
    case 'First Match':
      return matches[0]?.[0] ?? '';
    case 'All Matches':
      // Like `re.findall`, which gives the first group where the pattern has groups.
      return matches.map((match) => match[match.length > 1 ? 1 : 0] ?? '').join('\n');
    case 'First Group':
      return matches.length > 0 && grouped.length > 0 && group < (matches[0]?.length ?? 0)
        ? (matches[0]?.[group] ?? '')
        : '';
    default:
      return group === 0 ? '' : grouped.join('\n');
  }
};

const replaced = (inputs: Inputs): string => {
  const given = read.text(inputs, 'string');
  const pattern = expressionOf(inputs);
  const most = read.number(inputs, 'count', 0);
  if (pattern === undefined) return given;
  let done = 0;
  return given.replaceAll(pattern, (...found: readonly unknown[]) => {
    const match = String(found[0]);
    done += 1;
    return most > 0 && done > most ? match : expanded(read.text(inputs, 'replace'), found);
  });
};

/** A replacement in Python's words: `\1`, `\g<1>` and `\g<name>`. */
const expanded = (template: string, found: readonly unknown[]): string => {
  const names = found.at(-1);
  const groups = typeof names === 'object' && names !== null ? (names as Record<string, unknown>) : {};
  return template.replaceAll(/\\(?:(\d{1,2})|g<(\w+)>|(n|t|\\))/gu, (whole, digits, name, escape) => {
    if (typeof escape === 'string') return { n: '\n', t: '\t', '\\': '\\' }[escape] ?? whole;
    const key = String(digits ?? name);
    const value = /^\d+$/u.test(key) ? found[Number(key)] : groups[key];
    return typeof value === 'string' ? value : '';
  });
};

/** The engine's classes for regular expressions, which are Python's; what both languages have means the same. */
export const regex: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'RegexMatch', title: 'Regex Match' },
      required: { string: text, regex_pattern: text, ...flags },
      outputs: [{ type: 'BOOLEAN', name: 'matches' }],
    },
    (inputs) => [matchesOf(inputs).length > 0],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'RegexExtract', title: 'Regex Extract' },
      required: {
        string: text,
        regex_pattern: text,
        mode: oneOf('First Match', 'All Matches', 'First Group', 'All Groups'),
        ...flags,
        group_index: ['INT', { default: 1, min: 0, max: 100 }],
      },
      outputs: [{ type: 'STRING' }],
    },
    (inputs) => [extracted(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'RegexReplace', title: 'Regex Replace' },
      required: { string: text, regex_pattern: text, replace: text },
      optional: { ...flags, count: ['INT', { default: 0, min: 0, max: 100 }] },
      outputs: [{ type: 'STRING' }],
    },
    (inputs) => [replaced(inputs)],
  ),
];

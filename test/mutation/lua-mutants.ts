/** A change of a Lua text: the part from `start` to `end` is replaced. */
export interface LuaMutant {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Strings and comments hold no code; a call ends at the bracket that closes it. */
const tokens =
  /--[^\n]*|'(?:[^'\\\n]|\\.)*'|[A-Za-z_][\w.]*|\d+(?:\.\d+)?|==|~=|<=|>=|\.\.|[<>+\-*/%#=(){}[\],;:]/gu;

const operators: Readonly<Record<string, readonly string[]>> = {
  '==': ['~='],
  '~=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '*': ['/'],
  '/': ['*'],
  and: ['or'],
  or: ['and'],
  not: [''],
  true: ['false'],
  false: ['true'],
};

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Every mutant of a Lua text, or of a part of one: operators, `and` and `or`, numbers, conditions, and calls that are left out. */
export const luaMutants = (source: string): readonly LuaMutant[] => {
  const all = [...source.matchAll(tokens)]
    .map(({ 0: text, index }): Token => ({ text, start: index, end: index + text.length }))
    .filter(({ text }) => !text.startsWith('--'));
  return all.flatMap((token, at) => [
    ...ofToken(token, all[at - 1]),
    ...ofCondition(token, all.slice(at + 1)),
    ...ofCall(source, token, all.slice(at + 1)),
  ]);
};

const ofToken = ({ text, start, end }: Token, before: Token | undefined): readonly LuaMutant[] => {
  const change = (kind: string, replacement: string): LuaMutant => ({ kind, start, end, replacement });
  if (/^\d/u.test(text)) return [change('number', Number(text) === 0 ? '1' : String(Number(text) * 2))];
  // A minus with nothing before it is a sign.
  if (text === '-') {
    const isBinary = before !== undefined && /[\w)\]]$/u.test(before.text) && before.text !== 'return';
    return [change(isBinary ? 'operator' : 'sign', isBinary ? '+' : '')];
  }
  return (operators[text] ?? []).map((replacement) => change('operator', replacement));
};

/** The condition of an `if`; a loop that never ends is of no use. */
const ofCondition = ({ text, end }: Token, rest: readonly Token[]): readonly LuaMutant[] => {
  if (text !== 'if' && text !== 'elseif') return [];
  const then = rest.find((token) => token.text === 'then');
  if (then === undefined) return [];
  const range = { kind: 'condition', start: end, end: then.start };
  return ['true', 'false'].map((value) => ({ ...range, replacement: ` ${value} ` }));
};

/** A call that is a statement: it begins a line, or follows `then`, `do` or `else`. */
const ofCall = (source: string, { text, start }: Token, rest: readonly Token[]): readonly LuaMutant[] => {
  const isStatement = /(?:^|\n|\b(?:then|do|else))\s*$/u.test(source.slice(0, start));
  if (!isStatement || !/^[A-Za-z_]/u.test(text) || rest[0]?.text !== '(') return [];
  let depth = 0;
  for (const token of rest) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    if (depth === 0) return [{ kind: 'call left out', start, end: token.end, replacement: '' }];
  }
  return [];
};

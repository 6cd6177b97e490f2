import { readdirSync, readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const folder = new URL('../src/server/queue/store/scripts/', import.meta.url);

/** Where the scripts of a queue live as texts of TypeScript, which every loader and bundler reads. */
export const luaFile = new URL('generated/scripts.ts', folder);

/** A file of Lua: what its comments say, the parts of `lib` that it includes, and its code without comments. */
interface LuaFile {
  readonly name: string;
  readonly head: string;
  readonly includes: readonly string[];
  /** What Redis lets the script do besides, such as `allow-oom`. */
  readonly flags: readonly string[];
  readonly code: string;
}

/** Writes the scripts as one TypeScript module. Throws for a script that uses a key or an argument that its head does not name. */
export const luaSource = async (): Promise<string> => {
  const parts = filesIn('lib/');
  const scripts = filesIn('');
  const shared = parts.find(({ name }) => name === 'prelude')?.head ?? '';
  for (const file of parts) checkKeys({ ...file, head: shared + file.head });
  for (const file of scripts) {
    checkKeys(file);
    checkArguments(file);
  }
  const modules = [
    ...inOrder(parts).map(
      ({ name, includes, code }) => `const ${camel(name)} = \`${included(includes)}${code}\`;`,
    ),
    ...scripts.map(
      ({ name, includes, flags, code }) =>
        `export const ${camel(name)}Script = script(\`${flagged(flags)}${included(['prelude', ...includes])}${code}\`);`,
    ),
  ];
  const options = { ...(await resolveConfig(luaFile)), parser: 'typescript' };
  return format([header, ...modules].join('\n\n'), options);
};

const header = `/*
 * Made by \`npm run generate\` from the files of Lua in the folder above. Change those, not this file.
 */
import { script } from '../../script.js';
`;

const filesIn = (path: string): readonly LuaFile[] =>
  readdirSync(new URL(`./${path}`, folder))
    .filter((name) => name.endsWith('.lua'))
    .toSorted()
    .map((name) =>
      readLua(name.slice(0, -'.lua'.length), readFileSync(new URL(path + name, folder), 'utf8')),
    );

const readLua = (name: string, text: string): LuaFile => {
  const lines = text.split('\n');
  const isComment = (line: string): boolean => line.startsWith('--');
  const head = lines.filter(isComment).join('\n');
  return {
    name,
    head,
    includes: Array.from(head.matchAll(/^-- @include ([\w-]+)$/gmu), ([, part = '']) => part),
    flags: Array.from(head.matchAll(/^-- @flags ([\w-]+)$/gmu), ([, flag = '']) => flag),
    code: lines
      .filter((line) => !isComment(line))
      .join('\n')
      .replaceAll(/[\\`]|\$\{/gu, '\\$&'),
  };
};

/** Every name that follows the prefix, but those of channels, has to stand in the head: behind `KEYS[1]`, or in a table. */
const checkKeys = ({ name, head, code }: LuaFile): void => {
  const declared = head.split('\n').filter((line) => /^-- (?:KEYS\[1\]| {2}\w)/u.test(line));
  for (const [, key = ''] of code.matchAll(/(?<!'PUBLISH', )prefix \.\. '([\w-]+)/gu)) {
    const isDeclared = declared.some((line) => new RegExp(`\\b${key}\\b`, 'u').test(line));
    if (!isDeclared) throw new Error(`${name}.lua does not name its key ${key}.`);
  }
};

/** Every argument has to stand in the head, and the head names none that the script does not take. */
const checkArguments = ({ name, head, code }: LuaFile): void => {
  const named = Array.from(head.matchAll(/^-- ARGV\[(\d+)\]/gmu), ([, at]) => Number(at));
  const taken = Array.from(code.matchAll(/ARGV\[(\d+)\]/gu), ([, at]) => Number(at));
  if (named.some((at, index) => at !== index + 1) || taken.some((at) => !named.includes(at)))
    throw new Error(`${name}.lua does not name its arguments.`);
};

/** A part comes after those that it includes. */
const inOrder = (parts: readonly LuaFile[]): readonly LuaFile[] =>
  parts.toSorted((a, b) => a.includes.length - b.includes.length);

const included = (names: readonly string[]): string => names.map((name) => `\${${camel(name)}}`).join('');

const flagged = (flags: readonly string[]): string =>
  flags.length === 0 ? '' : `#!lua flags=${flags.join()}\\n`;

const camel = (name: string): string =>
  name.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());

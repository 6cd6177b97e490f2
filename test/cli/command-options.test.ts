import { commandHint, commandOptions } from '../../src/cli/report/command-options.js';
import { describe, expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { buildProgram } from '../../src/cli/program.js';
import { codeOf, tableUnder } from './helpers/cli-docs.js';
import { PassThrough } from 'node:stream';
import ts from 'typescript';

/** The sources of a file or of all files of a folder. */
const sources = (path: string): readonly string[] =>
  (path.endsWith('.ts')
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => `${path}/${file}`)
  ).map((file) => readFileSync(file, 'utf8'));

/** Calls `visit` with every node of a source file. */
const walk = (source: string, visit: (node: ts.Node) => void): void => {
  const each = (node: ts.Node): void => {
    visit(node);
    ts.forEachChild(node, each);
  };
  each(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
};

/** The options of the library: the members of its interfaces of options. */
const libraryOptions = (): ReadonlySet<string> => {
  const names = new Set<string>();
  const files = [
    'src/client-options.ts',
    'src/node.ts',
    'src/http/rest-options.ts',
    'src/files/download-state.ts',
    'src/jobs',
  ];
  for (const source of files.flatMap(sources))
    walk(source, (node) => {
      if (!ts.isInterfaceDeclaration(node) || !/Options$/u.test(node.name.text)) return;
      for (const member of node.members)
        if (ts.isPropertySignature(member) && ts.isIdentifier(member.name)) names.add(member.name.text);
    });
  return names;
};

/** The sentences of the rooms that the command's client consists of. */
const messages = (): readonly string[] => {
  const texts: string[] = [];
  const rooms = ['errors', 'http', 'socket', 'dialects', 'jobs', 'files', 'endpoints', 'platform'];
  for (const source of [
    ...rooms.flatMap((room) => sources(`src/${room}`)),
    ...sources('src/client-options.ts'),
    ...sources('src/client.ts'),
  ])
    walk(source, (node) => {
      const isText =
        ts.isStringLiteralLike(node) ||
        ts.isTemplateHead(node) ||
        ts.isTemplateMiddle(node) ||
        ts.isTemplateTail(node);
      if (isText && / /u.test(node.text)) texts.push(node.text);
    });
  return texts;
};

/** Options that the command passes to no call, so that no error of it can be about them. */
const neverPassed = [
  'extraData',
  'partnerKey',
  'submissionId',
  'maxBytes',
  'perSecond',
  'WebSocket',
  'recordWithinMs',
  'jobBytes',
  'clientBytes',
];

/** Options whose names are words of the language as well, and that messages name as options. */
const words = ['dialect', 'headers', 'agent'];

describe('an option that an error names', () => {
  const said = messages().join('\n');
  const named = [...libraryOptions()]
    .filter((option) => /[A-Z]/u.test(option) || words.includes(option))
    .filter((option) => new RegExp(`\\b${option}\\b`, 'u').test(said));

  it('N4 is found in the messages', () => {
    expect(named).toEqual(expect.arrayContaining(['baseUrl', 'dialect', 'timeoutMs', 'allowClearText']));
  });

  it.each(named)('N4 exists in the command: %s', (option) => {
    if (neverPassed.includes(option)) {
      for (const source of sources('src/cli')) expect(source).not.toMatch(new RegExp(`\\b${option}:`, 'u'));
      return;
    }
    expect(Object.keys(commandOptions)).toContain(option);
  });

  const program = buildProgram(
    { stdout: new PassThrough(), stderr: new PassThrough(), columns: () => 80 },
    (text) => text,
    () => Promise.resolve(),
  );
  const flags = new Set(program.commands.flatMap(({ options }) => options.map(({ long }) => long)));
  const variables = tableUnder('## Where it finds the service and the key').map(([name]) => codeOf(name));
  const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

  it.each(Object.entries(commandOptions))('N4 is taken by the command as it says: %s as %s', (_, text) => {
    const names = text.match(/--[a-z-]+|[A-Z]+_[A-Z_]+/gu) ?? [];
    expect(names).not.toEqual([]);
    for (const name of names) expect([...flags, ...variables, ...proxies]).toContain(name);
  });

  it('N4 is named as the command has it, once', () => {
    const error = { message: 'baseUrl would send the key in clear text.', hint: 'Set allowClearText.' };
    const hint = commandHint(error);
    expect(hint).toBe(
      'Set allowClearText. Of the command: baseUrl is PROMPTWIRE_BASE_URL; allowClearText is --allow-clear-text or PROMPTWIRE_ALLOW_CLEAR_TEXT=1.',
    );
    expect(commandHint({ ...error, hint })).toBe(hint);
    expect(commandHint({ message: 'No.', hint: 'Wait.' })).toBe('Wait.');
  });
});
